// The tools with which a record is edited: stones, marks, labels.

import { h } from "../element.js";
import { t } from "../strings.js";
import { choice } from "./controls.js";

/**
 * @typedef {"play" | "black" | "white" | "empty" | "triangle" | "square" | "circle" | "cross" | "letter" | "number"
 *   | "text" | "arrow" | "line"} Tool
 */

/** @param {Tool} tool @param {(tool: Tool) => void} change */
export function toolbox(tool, change) {
  const sign = (/** @type {string} */ text, /** @type {string} */ name) =>
    h("span", { class: "tool" }, h("span", { class: "tool-sign", "aria-hidden": "true" }, text), name);
  const disc = (/** @type {string} */ color, /** @type {string} */ name) =>
    h("span", { class: "tool" }, h("span", { class: `disc small ${color}`, "aria-hidden": "true" }), name);
  /** @type {[Tool, Node][]} */
  const tools = [
    ["play", sign("●○", t("tool_play"))],
    ["black", disc("black", t("tool_black"))],
    ["white", disc("white", t("tool_white"))],
    ["empty", sign("⌫", t("tool_empty"))],
    ["triangle", sign("△", t("mark_triangle"))],
    ["square", sign("□", t("mark_square"))],
    ["circle", sign("○", t("mark_circle"))],
    ["cross", sign("✕", t("mark_cross"))],
    ["letter", sign("A", t("tool_letter"))],
    ["number", sign("1", t("tool_number"))],
    ["text", sign("…", t("tool_text"))],
    ["arrow", sign("→", t("tool_arrow"))],
    ["line", sign("╱", t("tool_line"))],
  ];
  return choice(t("tools"), tools, tool, change, { class: "tools" });
}

/** The next letter or number that no label has yet. @param {"letter" | "number"} kind @param {string[]} taken */
export function nextLabel(kind, taken) {
  for (let i = 0; i < 1000; i += 1) {
    const text =
      kind === "number"
        ? String(i + 1)
        : i < 26
          ? String.fromCharCode(65 + i)
          : i < 52
            ? String.fromCharCode(71 + i)
            : `${i}`;
    if (!taken.includes(text)) return text;
  }
  return "?";
}

/**
 * What a click with a tool changes. Arrows and lines need a second point, texts a question; those are null here.
 * @param {Tool} tool
 * @param {string} point
 * @param {Api.View} view
 * @param {string} stone what is on the point: `.`, `X` or `O`
 * @returns {Api.Edit | null}
 */
export function editOf(tool, point, view, stone) {
  switch (tool) {
    case "black":
      return { do: "setup", point, color: stone === "X" ? null : "black" };
    case "white":
      return { do: "setup", point, color: stone === "O" ? null : "white" };
    case "empty":
      return { do: "setup", point, color: null };
    case "triangle":
    case "square":
    case "circle":
    case "cross": {
      const there = view.marks.some((mark) => mark.point === point && mark.kind === tool);
      return { do: "mark", point, kind: there ? null : tool };
    }
    case "letter":
    case "number": {
      const there = view.labels.some((label) => label.point === point);
      return { do: "label", point, text: there ? null : nextLabel(tool, view.labels.map((label) => label.text)) };
    }
    default:
      return null;
  }
}
