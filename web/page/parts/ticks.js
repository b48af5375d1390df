// Where the lines of a scale are.

/**
 * Round numbers between two bounds, for the lines of a chart.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function ticks(low, high, most) {
  const span = high - low || 1;
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? 10 * power;
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i += 1) found.push(i * step + 0);
  return found;
}
