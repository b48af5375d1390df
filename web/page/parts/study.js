// What somebody who studies a record does with it besides walking through it: takes edits back, copies branches,
// shares it, and looks for a position in other games.

import { fill, h } from "../element.js";
import { format } from "../route.js";
import { read, write } from "../settings.js";
import { LONGEST, packed, positionRecord, shareLink } from "../share.js";
import { colorName, resultText, t } from "../strings.js";
import { button, choice, toggle } from "./controls.js";
import { openBoard } from "./opener.js";
import { attempt, toasts } from "./toasts.js";
import { writes } from "./walker.js";

/** Where a branch is kept that was copied, so that it can be pasted into another game. */
const PLACE = "tengen.branch";

export class Study {
  /** @param {import("../app.js").App} app @param {import("../game.js").OpenGame} game @param {() => void} changed */
  constructor(app, game, changed) {
    this.app = app;
    this.game = game;
    this.changed = changed;
    /** @type {number | null} the node after which moves are numbered from 1 */
    this.numbersFrom = null;
    const act = (/** @type {"edit.undo" | "edit.redo"} */ method) => attempt(() => this.revert(method));
    this.undo = button(t("edit_undo"), act("edit.undo"), { icon: "undo", "data-do": "edit-undo" });
    this.redo = button(t("edit_redo"), act("edit.redo"), { icon: "again", "data-do": "edit-redo" });
    /** What edits are taken back by. */
    this.undoing = h("div", { class: "button-row" }, this.undo, this.redo);
    /** What is done with branches and boards. */
    this.branches = h(
      "div",
      { class: "button-row" },
      button(t("copy_branch"), attempt(() => this.copyBranch()), { icon: "file", "data-do": "copy-branch" }),
      button(t("paste_branch"), attempt(() => this.paste()), { icon: "down", "data-do": "paste-branch" }),
      toggle(t("numbers_from_here"), false, (on) => {
        this.numbersFrom = on ? this.game.node : null;
        this.changed();
      }),
      button(t("new_board"), attempt(() => openBoard(app, game.size)), { icon: "plus" }),
    );
    this.found = h("div", { class: "found", role: "status" });
    this.part = "board";
    this.listener = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.listener);
    this.show();
  }

  show() {
    const { can_undo: undo = false, can_redo: redo = false } = this.game.sheet;
    this.undo.setAttribute("aria-disabled", String(!undo));
    this.redo.setAttribute("aria-disabled", String(!redo));
  }

  /** The moves that are numbered from here on, if somebody wants that and they lead to what is looked at. */
  get counted() {
    const { tree, node } = this.game;
    const path = tree.path(node);
    const at = this.numbersFrom === null ? -1 : path.indexOf(this.numbersFrom);
    return at < 0 ? null : path.slice(at + 1).map((one) => tree.moves[one]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
    // After a click on a tool its button has the focus, and nothing is written there.
    const target = /** @type {Element} */ (event.target);
    if (writes(target) || target.closest("dialog")) return;
    event.preventDefault();
    (event.shiftKey || key === "y" ? this.redo : this.undo).click();
  }

  /** @param {"edit.undo" | "edit.redo"} method */
  async revert(method) {
    const { game } = this;
    const { node, version, view } = await game.call(method);
    game.keep(view, version);
    await game.reached(version);
    await game.look(node);
    game.tell("sheet");
  }

  /** Says that something was removed, and offers to take that back. */
  removed() {
    toasts.show(t("removed_undo"), "note", { label: t("edit_undo"), press: () => this.undo.click() });
  }

  async copyBranch() {
    const { game } = this;
    const { sgf } = await game.call("game.branch", { node: game.node });
    write(PLACE, { sgf });
    await navigator.clipboard?.writeText(sgf).catch(() => {});
    toasts.show(t("branch_copied"));
  }

  async paste() {
    const { sgf } = read(PLACE);
    if (typeof sgf !== "string") toasts.show(t("nothing_copied"));
    else await this.game.edit([{ do: "paste", text: sgf }]);
  }

  /** Puts a text on the clipboard, and says so. @param {string | Promise<string>} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(await text);
      toasts.show(t("copied"));
    } catch {
      toasts.show(t("not_copied"), "error");
    }
  }

  /** @param {string} sgf */
  async copyLink(sgf) {
    const text = await packed(sgf);
    if (text.length > LONGEST) toasts.show(t("share_long"), "error");
    else await this.copy(shareLink(text));
  }

  record() {
    return this.game.call("game.record").then(({ sgf }) => sgf);
  }

  async copyPicture() {
    const { game } = this;
    const { address } = await this.app.backend.file(game.id, "svg", game.node);
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = 1000 / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = h("canvas", {
      width: Math.round(image.naturalWidth * scale),
      height: Math.round(image.naturalHeight * scale),
    });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": /** @type {Blob} */ (blob) })]);
      toasts.show(t("copied"));
    } catch {
      toasts.show(t("not_copied"), "error");
    }
  }

  async copyEmbed() {
    const text = await packed(await this.record());
    const script = new URL("../embed.js", import.meta.url);
    await this.copy(`<script src="${script}"></script>\n<tengen-board packed="${text}"></tengen-board>`);
  }

  /** Links, copies, print. */
  sharing() {
    const { game } = this;
    const row = (/** @type {(Node | false)[]} */ ...buttons) => h("div", { class: "button-row" }, buttons);
    return h(
      "section",
      { class: "tab-stack sharing", "aria-label": t("share") },
      h("h2", {}, t("share")),
      row(
        button(t("share_game"), attempt(async () => this.copyLink(await this.record())), { "data-do": "link-game" }),
        button(t("share_position"), attempt(() => this.copyLink(positionRecord(game.sheet, game.view))), {
          "data-do": "link-position",
        }),
        button(t("copy_sgf"), attempt(() => this.copy(this.record())), { "data-do": "copy-sgf" }),
        button(t("copy_image"), attempt(() => this.copyPicture()), { "data-do": "copy-image" }),
        button(t("embed"), attempt(() => this.copyEmbed()), { "data-do": "embed" }),
        button(t("print"), () => print(), { "data-do": "print" }),
      ),
    );
  }

  /** The quarter of the board in which the last move is, or else the upper right one. */
  corner() {
    const { size, view } = this.game;
    const column = view.last ? "ABCDEFGHJKLMNOPQRSTUVWXYZ".indexOf(view.last.point[0]) : size.width;
    const row = view.last ? Number(view.last.point.slice(1)) : size.height;
    return `${row * 2 > size.height ? "upper" : "lower"}_${column * 2 < size.width ? "left" : "right"}`;
  }

  /** Other games with this position. */
  searching() {
    return h(
      "section",
      { class: "tab-stack", "aria-label": t("search_position") },
      h("h2", {}, t("search_position")),
      choice(
        t("search_position"),
        [
          ["board", t("search_board")],
          ["corner", t("search_corner")],
        ],
        this.part,
        (part) => {
          this.part = part;
        },
        { hidden: true },
      ),
      button(t("search"), attempt(() => this.search()), { icon: "chart", "data-do": "search" }),
      this.found,
    );
  }

  async search() {
    const { game } = this;
    const part = /** @type {any} */ (this.part === "corner" ? this.corner() : "board");
    const { games, next } = await game.call("games.search", { node: game.node, part });
    const others = games.filter((one) => one.id !== game.id);
    fill(
      this.found,
      h("p", { class: "hint" }, others.length === 0 ? t("search_nothing") : t("search_found", { n: others.length })),
      next.length > 0 && h("h3", {}, t("search_next")),
      next.length > 0 &&
        h(
          "ul",
          { class: "found-next" },
          next.slice(0, 8).map((one) =>
            h(
              "li",
              {},
              h("b", {}, `${colorName(one.color)} ${one.move}`),
              ` · ${t("search_found", { n: one.count })}`,
            ),
          ),
        ),
      others.length > 0 &&
        h(
          "ul",
          { class: "plain-list" },
          others.slice(0, 30).map((one) =>
            h(
              "li",
              {},
              h("a", { href: format({ view: "game", game: one.id, node: one.node }) }, one.title),
              ` · ${t("search_move", { n: one.number })}${one.result ? ` · ${resultText(one.result)}` : ""}`,
            ),
          ),
        ),
    );
  }

  close() {
    document.removeEventListener("keydown", this.listener);
  }
}
