// Opening a record for review.

import { h } from "../element.js";
import { icon } from "../icons.js";
import { button, field, select } from "../parts/controls.js";
import { gameList } from "../parts/gamelist.js";
import { ENCODINGS, chosen, openBoard, openFiles } from "../parts/opener.js";
import { attempt } from "../parts/toasts.js";
import { t } from "../strings.js";

/** Sides of the boards that records are begun on. */
const BOARDS = [9, 13, 19];

/** @param {import("../app.js").App} app */
export function openView(app) {
  const known = ENCODINGS.map((name) => /** @type {[string, string]} */ ([name, name]));
  /** @type {[string, string][]} */
  const encodings = [["", t("encoding_own")], ...known];
  const input = h("input", {
    type: "file",
    multiple: true,
    accept: ".sgf,.gib,.ngf,.ugf,.ugi,.txt",
    class: "spoken",
    id: "record-files",
    onchange: () => {
      openFiles(app, [...(input.files ?? [])], "");
      input.value = "";
    },
  });
  const text = h("textarea", { rows: 3, spellcheck: "false", placeholder: "(;GM[1]FF[4]SZ[19]…" });
  const games = gameList(app, { empty: t("no_reviews"), phase: "review" });
  const empty = (/** @type {number} */ side) => attempt(() => openBoard(app, { width: side, height: side }));
  const root = h(
    "div",
    { class: "open-view" },
    h("header", { class: "hero" }, h("h1", { tabindex: -1 }, t("open_record")), h("p", {}, t("open_more"))),
    h(
      "div",
      { class: "columns" },
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "drop" },
          icon("file"),
          h("p", {}, t("drop_here")),
          input,
          h("label", { for: "record-files", class: "button primary" }, t("choose_file")),
        ),
        field(
          t("encoding"),
          select(encodings, chosen.encoding, (value) => {
            chosen.encoding = value;
          }),
        ),
        field(t("paste_record"), text),
        button(t("open_pasted"), () => openFiles(app, [], text.value)),
        h(
          "div",
          { class: "field", role: "group", "aria-label": t("new_board") },
          h("p", { class: "field-name" }, t("new_board")),
          h("div", { class: "button-row" }, BOARDS.map((side) => button(`${side}×${side}`, empty(side)))),
        ),
      ),
      h("section", { class: "card" }, h("h2", {}, t("reviewed_games")), games.root),
    ),
  );
  const close = () => {
    // A choice for these files is none for those of tomorrow.
    chosen.encoding = "";
    games.close();
  };
  return { root, title: t("nav_review"), close };
}
