// Curves over the generations of a training run.

import { h, svg } from "../element.js";
import { number, t } from "../strings.js";
import { ticks } from "./ticks.js";

/**
 * @typedef {{ name: string, points: { x: number, y: number, error?: number }[] }} Line
 */

const SIZE = { width: 520, height: 220, left: 46, right: 12, top: 12, bottom: 28 };

/**
 * Numbers along a line, each as short as it can be told from its neighbours.
 * @param {number[]} values
 * @returns {string[]}
 */
export function tickTexts(values) {
  for (let digits = 0; digits <= 6; digits += 1) {
    const texts = values.map((value) => number(value + 0, { notation: "compact", maximumFractionDigits: digits }));
    if (new Set(texts).size === texts.length) return texts;
  }
  return values.map(String);
}

/** Hours of work; none are 0 and never -0. @param {number} hours */
export function hoursText(hours) {
  return number(Math.max(0, hours));
}

/** A chart; null if there is nothing to draw. @param {string} title @param {Line[]} lines */
export function chart(title, lines) {
  const all = lines.flatMap((line) => line.points);
  if (all.length === 0) return null;
  const { width, height, left, right, top, bottom } = SIZE;
  const xs = all.map((point) => point.x);
  const ys = all.flatMap((point) => [point.y - (point.error ?? 0), point.y + (point.error ?? 0)]);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  let [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  const x = (/** @type {number} */ value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - right);
  const y = (/** @type {number} */ value) => top + (1 - (value - y0) / (y1 - y0)) * (height - top - bottom);
  // The upper or the lower edge of the band of errors.
  const edge = (/** @type {Line["points"]} */ points, /** @type {1 | -1} */ sign) =>
    points.map((point) => `${x(point.x).toFixed(1)} ${y(point.y + sign * (point.error ?? 0)).toFixed(1)}`);
  const [across, up] = [ticks(x0, x1, 6).filter((value) => Number.isInteger(value)), ticks(y0, y1, 5)];
  const [acrossTexts, upTexts] = [tickTexts(across), tickTexts(up)];
  const last = (/** @type {Line} */ line) => line.points[line.points.length - 1];
  return h(
    "figure",
    { class: "chart" },
    h(
      "figcaption",
      {},
      h("span", { class: "chart-title" }, title),
      lines.length > 1 && lines.map((line, i) => h("span", { class: `key line-${i % 4}` }, line.name)),
      h(
        "span",
        { class: "chart-last" },
        lines.map((line) => number(last(line).y, { maximumSignificantDigits: 4 })).join(" / "),
      ),
    ),
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": t("chart_label", {
          title,
          first: number(lines[0].points[0].y, { maximumSignificantDigits: 3 }),
          last: number(last(lines[0]).y, { maximumSignificantDigits: 3 }),
        }),
      },
      up
        .map((value, i) => [
          svg("path", { class: "chart-line", d: `M${left} ${y(value)}H${width - right}` }),
          svg(
            "text",
            { class: "chart-text end", x: left - 6, y: y(value) },
            upTexts[i],
          ),
        ])
        .flat(),
      across.map((value, i) =>
        svg("text", { class: "chart-text middle", x: x(value), y: height - 8 }, acrossTexts[i]),
      ),
      lines
        .map((line, i) => [
          line.points.some((point) => point.error) &&
            svg("path", {
              class: `band line-${i % 4}`,
              d: `M${edge(line.points, 1).join("L")}L${edge(line.points, -1).reverse().join("L")}z`,
            }),
          // A few measurements are seen one by one, and a single one would be no line at all.
          line.points.length <= 30 &&
            line.points.map((point) =>
              svg("circle", { class: `chart-dot line-${i % 4}`, cx: x(point.x), cy: y(point.y), r: 3 }),
            ),
          svg("path", {
            class: `chart-curve line-${i % 4}`,
            d: `M${line.points.map((point) => `${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join("L")}`,
          }),
        ])
        .flat(2),
    ),
  );
}
