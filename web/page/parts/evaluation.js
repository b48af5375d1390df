// Who is ahead in a game that people watch: a bar that follows the game, and the end of a game without hope.

import { HOPELESS, hopeless } from "../chances.js";
import { fill, h } from "../element.js";
import { colorName, percent, t } from "../strings.js";
import { choice } from "./controls.js";
import { favourite, leadText } from "./graph.js";
import { toasts } from "./toasts.js";

/** How much is searched for the bar. */
const VISITS = 300;

/** The paces that are offered, in milliseconds. @type {["pace_slow" | "pace_steady" | "pace_fast", number][]} */
const PACES = [
  ["pace_slow", 3000],
  ["pace_steady", 1000],
  ["pace_fast", 0],
];

export class Evaluation {
  /** @param {import("../app.js").App} app @param {import("../game.js").OpenGame} game */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    this.asked = -1;
    /** Whether it has ended the game. */
    this.ended = false;
    /** Black's chances by node, as far as they were judged. @type {Map<number, number>} */
    this.rates = new Map();
    this.fill = h("div", { class: "evaluation-black" });
    this.text = h("span", { class: "evaluation-text" });
    this.bar = h("div", { class: "evaluation-bar", role: "img", "aria-label": t("evaluation_none") }, this.fill);
    this.paces = h("div");
    this.root = h("section", { class: "evaluation", "aria-label": t("evaluation") }, this.bar, this.text, this.paces);
    this.forget = app.backend.on("analysis", (event) => this.heard(event));
  }

  /** Asks about the position that is looked at. */
  follow() {
    const { game, app } = this;
    const { phase } = game.sheet;
    const pace = game.sheet.pace ?? 0;
    const key = `${pace} ${phase}`;
    if (this.paces.dataset.key !== key && app.about.may_play) {
      this.paces.dataset.key = key;
      fill(
        this.paces,
        phase === "playing" &&
          choice(
            t("pace"),
            PACES.map(([name, value]) => /** @type {[string, string]} */ ([String(value), t(name)])),
            String(pace),
            (value) => game.act("game.pace", { pace: Number(value) }).catch((failure) => toasts.refuse(failure)),
          ),
      );
    }
    if (app.about.features.analysis === false || !app.about.may_play || this.asked === game.node) return;
    this.asked = game.node;
    app.backend.call("analysis.watch", { game: game.id, node: game.node, max_visits: VISITS }).catch(() => {});
  }

  /** @param {Extract<Api.Event, { event: "analysis" }>} event */
  heard(event) {
    if (event.game !== this.game.id || "failed" in event) return;
    if (event.visits >= HOPELESS.visits) this.rates.set(event.node, event.winrate);
    if (event.node === this.game.node) {
      this.fill.style.setProperty("--share", percent(event.winrate));
      const said = t("evaluation_is", { ...favourite(event.winrate), lead: leadText(event.lead) });
      this.bar.setAttribute("aria-label", said);
      this.text.textContent = said;
    }
    this.give();
  }

  /** Ends a game in which one side has no hope any more. */
  give() {
    const { sheet, tree, view } = this.game;
    if (sheet.phase !== "playing" || view.number * 4 < sheet.width * sheet.height) return;
    const rates = tree
      .path(sheet.live)
      .map((node) => this.rates.get(node))
      .filter((rate) => rate !== undefined);
    const loser = hopeless(rates);
    if (!loser || this.ended) return;
    this.ended = true;
    this.game.act("game.resign", { color: loser }).then(
      () => toasts.show(t("hopeless", { player: colorName(loser) })),
      // It may have ended by itself meanwhile.
      () => {},
    );
  }

  close() {
    this.forget();
    if (this.asked >= 0) this.app.backend.call("analysis.stop").catch(() => {});
  }
}
