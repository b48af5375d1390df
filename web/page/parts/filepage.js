// The page of a review about the record as a file: what it can be saved as, what was wrong with it, and what it says
// about the game.

import { fill, h } from "../element.js";
import { t } from "../strings.js";
import { button } from "./controls.js";
import { saveButton } from "./download.js";
import { infoForm } from "./notes.js";
import { found } from "./opener.js";
import { attempt, toasts } from "./toasts.js";

export class FilePage {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../game.js").OpenGame} game
   * @param {{ edit: (edits: Api.Edit[]) => Promise<void>, playOn: () => Promise<void>,
   *   more: () => Node[] }} actions `more`: what else can be done with the record
   */
  constructor(app, game, actions) {
    this.app = app;
    this.game = game;
    this.actions = actions;
    /** Is there anything of a review that comments could tell? */
    this.reviewed = false;
    this.root = h("div", { class: "file-page" });
  }

  show() {
    const { game, app } = this;
    const { sheet, node } = game;
    const diagnostics = found.get(game.id) ?? [];
    const key = `${sheet.version} ${node} ${this.reviewed}`;
    if (this.root.dataset.key === key || this.root.contains(document.activeElement)) return;
    this.root.dataset.key = key;
    const { features } = app.about;
    /** @type {[string, string, number | undefined, boolean][]} */
    const files = [
      ["sgf", "SGF", undefined, true],
      ["comments.sgf", t("sgf_comments"), undefined, this.reviewed],
      ["png", "PNG", node, features.export_png !== false],
      ["svg", "SVG", node, features.export_svg !== false],
      ["gif", "GIF", undefined, features.export_gif !== false],
      ["animation", "SVG ▶", undefined, features.export_animation === true],
    ];
    fill(
      this.root,
      h("h2", {}, t("export")),
      h(
        "div",
        { class: "button-row" },
        files
          .filter(([, , , offered]) => offered)
          .map(([kind, name, at]) =>
            saveButton(app.backend, t("save_as", { kind: name }), { game: game.id, kind, node: at }),
          ),
      ),
      button(
        t("play_from_here"),
        attempt(() => this.actions.playOn()),
        { icon: "play" },
      ),
      ...this.actions.more(),
      diagnostics.length > 0 && h("h2", {}, t("diagnostics_n", { n: diagnostics.length })),
      diagnostics.length > 0 &&
        h(
          "ul",
          { class: "diagnostics" },
          diagnostics
            .slice(0, 100)
            .map((one) =>
              h(
                "li",
                { class: one.severity },
                one.line ? h("span", { class: "place" }, t("line_n", { n: one.line })) : null,
                one.message,
              ),
            ),
        ),
      h("h2", {}, t("about_game")),
      infoForm(sheet.info, (name, value) =>
        this.actions.edit([{ do: "info", key: name, value }]).catch((failure) => toasts.refuse(failure)),
      ),
    );
  }
}
