// A record in a frame of another page: a board, a way through the moves, and what is said about them.

import { moveNumbers, stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { fill, h, say } from "../element.js";
import { OpenGame } from "../game.js";
import { Walker } from "../parts/walker.js";
import { unpacked } from "../share.js";
import { settings } from "../settings.js";
import { failureText, t } from "../strings.js";

/** @param {import("../app.js").App} app @param {string} text */
export function embedView(app, text) {
  const title = h("h1", { class: "spoken", tabindex: -1 }, t("loading"));
  const root = h("div", { class: "embed" }, title);
  document.documentElement.classList.add("embedded");
  let closed = false;
  /** @type {(() => void)[]} */
  const leave = [() => document.documentElement.classList.remove("embedded")];
  const open = async () => {
    const { games } = await app.backend.call("games.open", { text: await unpacked(text), keep: false });
    const game = new OpenGame(app.backend, games[0].id);
    await game.open(0);
    if (closed) return game.close();
    const surface = new Surface(game.size, {});
    const walker = new Walker(game);
    const comment = h("p", { class: "exercise-remark" });
    const show = () => {
      const state = stateOf(game.size, game.shown, game.tried);
      if (settings.values.numbers) state.numbers = moveNumbers(game.size, game.moves);
      surface.show(state);
      walker.show();
      say(title, game.sheet.title);
      say(comment, game.view.comment);
    };
    leave.push(game.on(show), () => game.close(), () => surface.close(), () => walker.close());
    fill(root, title, surface.root, walker.root, comment);
    show();
  };
  open().catch((failure) => {
    if (!closed) say(title, failure instanceof Error ? t("error_unreadable") : failureText(failure));
    title.classList.remove("spoken");
  });
  return {
    root,
    title: "",
    close() {
      closed = true;
      for (const one of leave) one();
    },
  };
}
