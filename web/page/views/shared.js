// What somebody has shared in a link: a record in the address, opened once and then kept as any other.

import { h } from "../element.js";
import { openText } from "../parts/opener.js";
import { button } from "../parts/controls.js";
import { read, write } from "../settings.js";
import { unpacked } from "../share.js";
import { failureText, t } from "../strings.js";

/** Where it is kept which links were opened as which games. */
const PLACE = "tengen.shared";
const MOST = 50;

/** @param {import("../app.js").App} app @param {string} text */
export function sharedView(app, text) {
  const words = h("h1", { tabindex: -1, class: "loading" }, t("shared_opening"));
  const root = h("div", { class: "card lost" }, words);
  let closed = false;
  const open = async () => {
    const known = read(PLACE);
    const before = known[text];
    if (typeof before === "string" && (await app.backend.call("game.get", { game: before }).catch(() => null)))
      return before;
    const { games } = await openText(app.backend, await unpacked(text));
    const latest = Object.entries(known).slice(-MOST);
    write(PLACE, { ...Object.fromEntries(latest), [text]: games[0].id });
    return games[0].id;
  };
  open().then(
    (game) => {
      if (closed) return;
      history.replaceState(null, "", "#/open");
      app.go({ view: "game", game, node: 0 });
    },
    (failure) => {
      words.textContent = failure instanceof Error ? t("error_unreadable") : failureText(failure);
      root.append(button(t("go_home"), () => app.go({ view: "home" }), { kind: "primary" }));
    },
  );
  return {
    root,
    title: t("share"),
    close() {
      closed = true;
    },
  };
}
