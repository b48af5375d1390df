// Curves over the moves of a game: who is likelier to win, and by how much somebody leads.

import { fill, h, svg } from "../element.js";
import { percent, signed, t } from "../strings.js";

const SIZE = { width: 360, height: 150 };

/** @typedef {{ node: number, winrate: number, lead: number }} Sample */

/**
 * A lead as a height between 0 and 1. Leads beyond a few dozen points are all the same.
 * @param {number} lead
 * @param {number} reach
 */
export function leadHeight(lead, reach) {
  return 0.5 + 0.5 * Math.max(-1, Math.min(1, lead / reach));
}

/**
 * The path through the known samples; gaps begin a new piece.
 * @param {(number | null)[]} heights from 0, below, to 1, above
 * @param {number} width
 * @param {number} height
 */
export function curve(heights, width, height) {
  const step = width / Math.max(1, heights.length - 1);
  let path = "";
  let pen = "M";
  heights.forEach((value, i) => {
    if (value === null) {
      pen = "M";
      return;
    }
    path += `${pen}${(i * step).toFixed(1)} ${((1 - value) * height).toFixed(1)}`;
    pen = "L";
  });
  return path;
}

export class Graph {
  /** @param {(node: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    /** @type {number[]} */
    this.line = [];
    /** The position that was chosen last. */
    this.chosen = -1;
    this.picture = svg("svg", {
      class: "graph-picture",
      viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
      preserveAspectRatio: "none",
      role: "img",
    });
    this.value = h("div", { class: "graph-value" });
    this.root = h(
      "div",
      { class: "graph" },
      h(
        "div",
        { class: "graph-head" },
        h("span", { class: "key winrate" }, t("graph_winrate")),
        h("span", { class: "key lead" }, t("graph_lead")),
        this.value,
      ),
      this.picture,
    );
    let down = false;
    const go = (/** @type {PointerEvent} */ event) => {
      const box = this.picture.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
      const node = this.line[Math.max(0, Math.min(this.line.length - 1, at))];
      if (node === undefined || node === this.chosen) return;
      this.chosen = node;
      this.choose(node);
    };
    this.picture.addEventListener("pointerdown", (event) => {
      down = true;
      this.picture.setPointerCapture(event.pointerId);
      go(event);
    });
    this.picture.addEventListener("pointermove", (event) => down && go(event));
    this.picture.addEventListener("pointerup", () => (down = false));
    this.picture.addEventListener("pointercancel", () => (down = false));
  }

  /**
   * @param {number[]} line the nodes from left to right
   * @param {Map<number, Sample>} samples
   * @param {number} current
   * @param {Map<number, number>} lost points lost by the move to a node
   */
  show(line, samples, current, lost) {
    this.line = line;
    this.chosen = current;
    const known = line.map((node) => samples.get(node) ?? null);
    const reach = Math.max(10, ...known.map((sample) => (sample ? Math.min(60, Math.abs(sample.lead)) : 0)));
    const { width, height } = SIZE;
    const rates = curve(known.map((sample) => sample && sample.winrate), width, height);
    const leads = curve(known.map((sample) => sample && leadHeight(sample.lead, reach)), width, height);
    const step = width / Math.max(1, line.length - 1);
    const at = line.indexOf(current);
    const here = samples.get(current);
    fill(
      this.picture,
      svg("rect", { class: "graph-ground", width, height }),
      areas(
        known.map((sample) => sample && sample.winrate),
        step,
        height,
      ).map((d) => svg("path", { class: "graph-area", d })),
      svg("path", { class: "graph-middle", d: `M0 ${height / 2}H${width}` }),
      line.map((node, i) => {
        const points = lost.get(node) ?? 0;
        return points < 2
          ? null
          : svg("rect", {
              class: points < 5 ? "graph-loss poor" : "graph-loss bad",
              x: i * step - 1.2,
              y: height - Math.min(36, 4 + points * 2),
              width: 2.4,
              height: Math.min(36, 4 + points * 2),
            });
      }),
      svg("path", { class: "graph-lead", d: leads }),
      svg("path", { class: "graph-winrate", d: rates }),
      at >= 0 && svg("path", { class: "graph-cursor", d: `M${at * step} 0V${height}` }),
    );
    const told = here ? t("graph_here", { rate: percent(here.winrate), lead: leadText(here.lead) }) : "";
    this.value.textContent = told;
    this.picture.setAttribute(
      "aria-label",
      t("graph_label", { n: known.filter(Boolean).length, total: line.length, here: told }),
    );
  }
}

/**
 * What lies below a curve, a closed path for each piece.
 * @param {(number | null)[]} heights
 * @param {number} step
 * @param {number} height
 */
function areas(heights, step, height) {
  const pieces = [];
  let piece = "";
  let start = 0;
  for (let i = 0; i <= heights.length; i += 1) {
    const value = heights[i];
    if (value === null || value === undefined) {
      if (piece)
        pieces.push(`M${(start * step).toFixed(1)} ${height}${piece}L${((i - 1) * step).toFixed(1)} ${height}z`);
      piece = "";
    } else {
      if (!piece) start = i;
      piece += `L${(i * step).toFixed(1)} ${((1 - value) * height).toFixed(1)}`;
    }
  }
  return pieces;
}

/** A lead as players say it: "B+3.5". @param {number} lead */
export function leadText(lead) {
  if (Math.abs(lead) < 0.05) return signed(0);
  return `${lead > 0 ? t("black_letter") : t("white_letter")}${signed(Math.abs(lead))}`;
}
