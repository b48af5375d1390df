// What people write about a game: comments on moves, and who played whom.

import { h, unique } from "../element.js";
import { known, t } from "../strings.js";
import { field, select } from "./controls.js";
import { toasts } from "./toasts.js";

/** Milliseconds without typing before a text is kept. */
const PAUSE = 700;

export class CommentBox {
  /** @param {(node: number, text: string) => Promise<void>} save */
  constructor(save) {
    this.save = save;
    const id = unique("comment");
    this.node = -1;
    this.saved = "";
    /** @type {any} */
    this.timer = null;
    this.text = h("textarea", {
      id,
      rows: 4,
      class: "comment",
      placeholder: t("comment_none"),
      oninput: () => this.later(),
      onblur: () => this.flush(),
    });
    this.root = h("div", { class: "field" }, h("label", { for: id }, t("comment")), this.text);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.text.value === this.saved) return;
    this.saved = this.text.value;
    this.save(this.node, this.saved).catch((failure) => toasts.refuse(failure));
  }

  /** @param {number} node @param {string} text */
  show(node, text) {
    if (this.timer !== null) {
      if (node === this.node) return;
      // Somebody goes on in the middle of a sentence: it belongs to the move that was left.
      this.flush();
    }
    this.node = node;
    this.saved = text;
    if (this.text.value !== text) this.text.value = text;
  }
}

/** What can be said about a move, by the names of SGF. A move has one of these at most. */
const VERDICTS = ["TE", "BM", "DO", "IT"];

/** What the record says about a move and its position, in words. @param {Record<string, unknown>} annotations */
export function signs(annotations) {
  return Object.keys(annotations)
    .map((name) => `sign_${name.toLowerCase()}`)
    .filter(known)
    .map((key) => h("span", { class: "sign" }, t(key)));
}

/**
 * A choice of what to say about a move.
 * @param {Record<string, unknown>} annotations
 * @param {(edits: Api.Edit[]) => void} change
 */
export function verdictField(annotations, change) {
  const value = VERDICTS.find((name) => name in annotations) ?? "";
  const choices = /** @type {[string, string][]} */ ([
    ["", t("sign_none")],
    ["TE", t("sign_te")],
    ["BM", t("sign_bm")],
    ["DO", t("sign_do")],
    ["IT", t("sign_it")],
  ]);
  return field(
    t("move_is"),
    select(choices, value, (chosen) => {
      const others = VERDICTS.filter((name) => name !== chosen && name in annotations);
      /** @type {Api.Edit[]} */
      const edits = others.map((key) => ({ do: "annotation", key, value: null }));
      if (chosen) edits.push({ do: "annotation", key: chosen, value: 1 });
      change(edits);
    }),
  );
}

const FIELDS = [
  "black", "black_rank", "white", "white_rank", "event", "round", "date", "place", "result", "tags", "comment",
];

/** @param {Record<string, string>} info @param {(key: string, value: string) => void} change */
export function infoForm(info, change) {
  return h(
    "div",
    { class: "fields info" },
    FIELDS.map((name) => {
      const id = unique("info");
      const key = `info_${name}`;
      return h(
        "div",
        { class: "field" },
        h("label", { for: id }, known(key) ? t(key) : name),
        h("input", {
          id,
          type: "text",
          value: info[name] ?? "",
          onchange: (/** @type {Event} */ event) => change(name, /** @type {HTMLInputElement} */ (event.target).value),
        }),
      );
    }),
  );
}
