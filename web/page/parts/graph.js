// The course of a game: by how much somebody leads, or who is likelier to win, over its moves.

import { Board } from "../board/board.js";
import { stateOf } from "../board/state.js";
import { fill, h, say, svg } from "../element.js";
import { owners } from "../judged.js";
import { colorName, number, percent, signed, t } from "../strings.js";
import { toggle } from "./controls.js";
import { ticks } from "./ticks.js";

const SIZE = { width: 360, height: 150 };

/** Leads beyond as many points are all the same. */
const REACH = { least: 10, most: 60 };

/** Milliseconds that somebody points to a move before its position is shown. */
const STAY = 60;

/** @typedef {{ node: number, winrate: number, lead: number, ownership?: string | number[] }} Sample */

/**
 * A lead as a height between 0 and 1. Leads beyond a few dozen points are all the same.
 * @param {number} lead
 * @param {number} reach
 */
export function leadHeight(lead, reach) {
  return 0.5 + 0.5 * Math.max(-1, Math.min(1, lead / reach));
}

/** How many points the scale has on either side. @param {(Pick<Sample, "lead"> | null)[]} samples */
export function reachOf(samples) {
  const most = samples.reduce((most, sample) => Math.max(most, Math.abs(sample?.lead ?? 0)), 0);
  return Math.max(REACH.least, Math.min(REACH.most, Math.ceil(most / 5) * 5));
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
  /**
   * @param {import("../coordinates.js").Size} size that of the board
   * @param {{
   *   choose: (node: number) => void, view: (node: number) => Promise<Api.View>, rates: (on: boolean) => void,
   * }} actions
   * @param {boolean} rates are chances shown instead of points?
   */
  constructor(size, actions, rates) {
    this.size = size;
    this.actions = actions;
    this.rates = rates;
    /** @type {number[]} */
    this.line = [];
    /** @type {Map<number, Sample>} */
    this.samples = new Map();
    /** @type {Map<number, { lost: number, settled: boolean }>} */
    this.lost = new Map();
    /** The position that was chosen last, and the one that is pointed to. */
    this.chosen = -1;
    /** @type {number | null} */
    this.pointed = null;
    /** @type {any} */
    this.waiting = null;
    /** @type {Board | null} the board of the position that is pointed to */
    this.board = null;
    /** What the curves were drawn of. */
    this.drawn = "";
    this.curves = svg("g");
    this.cursor = svg("path", { class: "graph-cursor" });
    this.picture = svg(
      "svg",
      {
        class: "graph-picture",
        viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
        preserveAspectRatio: "none",
        role: "img",
      },
      svg("rect", { class: "graph-ground", width: SIZE.width, height: SIZE.height }),
      this.curves,
      this.cursor,
    );
    this.value = h("div", { class: "graph-value" });
    this.scale = h("div", { class: "graph-scale", "aria-hidden": "true" });
    this.preview = h("div", { class: "graph-preview", hidden: true, "aria-hidden": "true" });
    this.kind = h("span", { class: "key lead" });
    this.root = h(
      "div",
      { class: "graph" },
      h(
        "div",
        { class: "graph-head" },
        this.kind,
        toggle(t("graph_rates"), rates, (on) => {
          this.rates = on;
          actions.rates(on);
        }),
        this.value,
      ),
      h("div", { class: "graph-box-inner" }, this.picture, this.scale, this.preview),
    );
    this.listen();
  }

  listen() {
    let down = false;
    const at = (/** @type {PointerEvent} */ event) => {
      const box = this.picture.getBoundingClientRect();
      const place = Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
      return this.line[Math.max(0, Math.min(this.line.length - 1, place))];
    };
    const go = (/** @type {PointerEvent} */ event) => {
      const node = at(event);
      if (node === undefined || node === this.chosen) return;
      this.chosen = node;
      this.actions.choose(node);
    };
    this.picture.addEventListener("pointerdown", (event) => {
      down = true;
      this.picture.setPointerCapture(event.pointerId);
      this.point(null);
      go(event);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (down) go(event);
      else if (event.pointerType !== "touch") this.point(at(event) ?? null);
    });
    this.picture.addEventListener("pointerup", () => (down = false));
    this.picture.addEventListener("pointercancel", () => (down = false));
    this.picture.addEventListener("pointerleave", () => this.point(null));
  }

  /** Shows the position that somebody points to. @param {number | null} node */
  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    clearTimeout(this.waiting);
    if (node === null) {
      this.preview.hidden = true;
      return;
    }
    this.waiting = setTimeout(async () => {
      const view = await this.actions.view(node).catch(() => null);
      if (view && this.pointed === node) this.showPosition(node, view);
    }, STAY);
  }

  /** @param {number} node @param {Api.View} view */
  showPosition(node, view) {
    this.board ??= new Board(this.size, { small: true, coordinates: false, still: t("position") });
    const sample = this.samples.get(node);
    const lost = this.lost.get(node);
    const state = stateOf(this.size, { ...view, marks: [], labels: [], lines: [] });
    if (typeof sample?.ownership === "string") state.ownership = owners(sample.ownership);
    this.board.show(state);
    const words = [t("move_n", { n: view.number })];
    if (sample) words.push(this.told(sample));
    if (lost && lost.lost > 0) words.push(signed(-lost.lost));
    fill(this.preview, this.board.root, h("div", { class: "graph-preview-text" }, words.join(" · ")));
    const share = this.line.indexOf(node) / Math.max(1, this.line.length - 1);
    this.preview.style.setProperty("--x", share.toFixed(3));
    this.preview.hidden = false;
  }

  /** @param {Sample} sample */
  told(sample) {
    return this.rates ? percent(sample.winrate) : leadText(sample.lead);
  }

  /**
   * @param {number[]} line the nodes from left to right
   * @param {Map<number, Sample>} samples
   * @param {number} current
   * @param {Map<number, { lost: number, settled: boolean }>} lost points lost by the move to a node
   * @param {number[]} [main] the main line, if another one is looked at
   */
  show(line, samples, current, lost, main = line) {
    this.line = line;
    this.samples = samples;
    this.lost = lost;
    this.chosen = current;
    const { width, height } = SIZE;
    const step = width / Math.max(1, line.length - 1);
    const at = line.indexOf(current);
    this.cursor.setAttribute("d", at >= 0 ? `M${(at * step).toFixed(1)} 0V${height}` : "");
    const here = samples.get(current);
    const told = here ? this.told(here) : "";
    say(this.value, told);
    const known = line.filter((node) => samples.has(node)).length;
    this.picture.setAttribute("aria-label", t("graph_label", { n: known, total: line.length, here: told }));
    this.draw(line, main, step);
  }

  /**
   * Draws the curves, unless they are the same as before.
   * @param {number[]} line
   * @param {number[]} main
   * @param {number} step
   */
  draw(line, main, step) {
    const { samples, lost, rates } = this;
    const { width, height } = SIZE;
    const known = line.map((node) => samples.get(node) ?? null);
    const stem = main === line ? [] : main.slice(0, line.length).map((node) => samples.get(node) ?? null);
    const key = JSON.stringify([
      rates,
      line.map((node) => [samples.get(node)?.lead, lost.get(node)]),
      stem.map((sample) => sample?.lead),
    ]);
    if (key === this.drawn) return;
    this.drawn = key;
    const reach = reachOf([...known, ...stem]);
    const heightOf = (/** @type {Sample | null} */ sample) =>
      sample && (rates ? sample.winrate : leadHeight(sample.lead, reach));
    const heights = known.map(heightOf);
    const branch = curve(stem.map(heightOf), step * Math.max(1, stem.length - 1), height);
    const dots = line.flatMap((node, i) => {
      const { lost: points = 0, settled = true } = lost.get(node) ?? {};
      const value = heights[i];
      if (points < 2 || value === null) return [];
      const kind = points < 5 ? "poor" : "bad";
      // A line without a length has round ends, which stay round however the picture is stretched.
      return [
        svg("path", {
          class: `graph-dot ${kind}${settled ? "" : " open"}`,
          d: `M${(i * step).toFixed(1)} ${((1 - value) * height).toFixed(1)}h0`,
        }),
      ];
    });
    const lines = rates ? [0.25, 0.5, 0.75] : ticks(-reach, reach, 5).map((lead) => leadHeight(lead, reach));
    fill(
      this.curves,
      areas(heights, step, height).map((d) => svg("path", { class: "graph-area", d })),
      lines.map((value) =>
        svg("path", {
          class: value === 0.5 ? "graph-middle" : "graph-line",
          d: `M0 ${((1 - value) * height).toFixed(1)}H${width}`,
        }),
      ),
      branch && svg("path", { class: "graph-branch", d: branch }),
      svg("path", { class: rates ? "graph-winrate" : "graph-lead", d: curve(heights, width, height) }),
      dots,
    );
    this.kind.className = `key ${rates ? "winrate" : "lead"}`;
    say(this.kind, rates ? t("graph_winrate") : t("graph_lead"));
    fill(
      this.scale,
      (rates ? [0.25, 0.5, 0.75] : ticks(-reach, reach, 5)).map((value) => {
        const label = h("span", {}, rates ? percent(value) : pointsText(value));
        const place = rates ? value : leadHeight(value, reach);
        label.style.setProperty("--y", `${((1 - place) * 100).toFixed(1)}%`);
        return label;
      }),
    );
  }

  close() {
    clearTimeout(this.waiting);
  }
}

/**
 * What lies between a curve and the middle, a closed path for each piece.
 * @param {(number | null)[]} heights
 * @param {number} step
 * @param {number} height
 */
function areas(heights, step, height) {
  const pieces = [];
  let piece = "";
  let start = 0;
  const middle = height / 2;
  for (let i = 0; i <= heights.length; i += 1) {
    const value = heights[i];
    if (value === null || value === undefined) {
      if (piece)
        pieces.push(`M${(start * step).toFixed(1)} ${middle}${piece}L${((i - 1) * step).toFixed(1)} ${middle}z`);
      piece = "";
    } else {
      if (!piece) start = i;
      piece += `L${(i * step).toFixed(1)} ${((1 - value) * height).toFixed(1)}`;
    }
  }
  return pieces;
}

/** A whole lead of the scale: "B+20". @param {number} lead */
function pointsText(lead) {
  if (lead === 0) return "0";
  return `${lead > 0 ? t("black_letter") : t("white_letter")}+${number(Math.abs(lead))}`;
}

/** Who is likelier to win, and how likely that is. @param {number} rate that of Black */
export function favourite(rate) {
  return { player: colorName(rate >= 0.5 ? "black" : "white"), rate: percent(Math.max(rate, 1 - rate)) };
}

/** A lead as players say it: "B+3.5". @param {number} lead */
export function leadText(lead) {
  if (Math.abs(lead) < 0.05) return signed(0);
  return `${lead > 0 ? t("black_letter") : t("white_letter")}${signed(Math.abs(lead))}`;
}
