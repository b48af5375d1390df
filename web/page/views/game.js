// One game: opens it, and shows it to be played or to be reviewed, whichever it is at the moment.

import { h } from "../element.js";
import { OpenGame } from "../game.js";
import { button } from "../parts/controls.js";
import { Notices } from "../parts/notices.js";
import { format } from "../route.js";
import { failureText, t } from "../strings.js";

/** What a game is shown by, loaded when it is wanted. */
const VIEWS = {
  play: async () => (await import("./play.js")).PlayView,
  review: async () => (await import("./review.js")).ReviewView,
};

/** @param {import("../app.js").App} app @param {string} id @param {number | null} node */
export function gameView(app, id, node) {
  const game = new OpenGame(app.backend, id);
  const root = h("div", { class: "game-view" }, h("p", { class: "loading", role: "status" }, t("loading")));
  const notices = new Notices(app, game);
  /** @type {import("./play.js").PlayView | import("./review.js").ReviewView | null} */
  let shown = null;
  let kind = "";

  const lost = (/** @type {string} */ text) => {
    shown?.close();
    shown = null;
    root.replaceChildren(
      h(
        "div",
        { class: "card lost" },
        h("h1", { tabindex: -1 }, t("no_such_game")),
        h("p", {}, text),
        button(t("go_home"), () => app.go({ view: "home" }), { kind: "primary" }),
      ),
    );
    root.querySelector("h1")?.focus();
  };

  const show = async () => {
    if (game.gone) {
      lost(t("error_no_game"));
      return;
    }
    const wanted = game.sheet.phase === "review" ? "review" : "play";
    if (wanted !== kind) {
      kind = wanted;
      const View = await VIEWS[wanted]();
      // The game may have gone on, or away, while its view was loaded.
      if (kind !== wanted || game.closed || game.gone) return;
      shown?.close();
      shown = new View(app, game);
      root.replaceChildren(notices.root, shown.root);
      document.title = `${game.sheet.title} – Tengen`;
      shown.title.focus({ preventScroll: true });
    }
    notices.show();
    const at = game.following ? null : game.node;
    const address = format({ view: "game", game: id, node: at });
    if (location.hash !== address) history.replaceState(null, "", address);
  };

  game.open(node).then(
    () => {
      if (game.closed) return;
      show();
      game.on(show);
    },
    (failure) => {
      if (!game.closed) lost(failureText(failure));
    },
  );

  return {
    root,
    title: "",
    /** Goes to another position of the same game. @param {number | null} to */
    look(to) {
      if (game.sheet) game.look(to ?? game.sheet.live).catch(() => {});
    },
    close() {
      shown?.close();
      notices.close();
      game.close();
    },
  };
}
