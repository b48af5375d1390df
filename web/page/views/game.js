// One game: opens it, and shows it to be played or to be reviewed, whichever it is at the moment.

import { h } from "../element.js";
import { OpenGame } from "../game.js";
import { button } from "../parts/controls.js";
import { Notices } from "../parts/notices.js";
import { format } from "../route.js";
import { failureText, t } from "../strings.js";
import { PlayView } from "./play.js";
import { ReviewView } from "./review.js";

/** @param {import("../app.js").App} app @param {string} id @param {number | null} node */
export function gameView(app, id, node) {
  const game = new OpenGame(app.backend, id);
  const root = h("div", { class: "game-view" }, h("p", { class: "loading", role: "status" }, t("loading")));
  const notices = new Notices(app, game);
  /** @type {PlayView | ReviewView | null} */
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

  const show = () => {
    if (game.gone) {
      lost(t("error_no_game"));
      return;
    }
    const wanted = game.sheet.phase === "review" ? "review" : "play";
    if (wanted !== kind) {
      kind = wanted;
      shown?.close();
      shown = wanted === "review" ? new ReviewView(app, game) : new PlayView(app, game);
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
