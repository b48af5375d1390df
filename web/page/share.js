// Games and positions in the address, so that a link holds all of them and nobody has to keep anything.

/** Longer links are cut off by programs that pass them on. */
export const LONGEST = 8000;

/** @param {Uint8Array<ArrayBuffer>} bytes @param {"deflate-raw" | "inflate"} way */
async function squeezed(bytes, way) {
  const stream = way === "inflate" ? new DecompressionStream("deflate-raw") : new CompressionStream("deflate-raw");
  const through = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(through).arrayBuffer());
}

/** A record as letters that an address may have. @param {string} sgf */
export async function packed(sgf) {
  const bytes = await squeezed(new TextEncoder().encode(sgf), "deflate-raw");
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The record that was packed, or as it is if somebody has written it into an address by hand. @param {string} text */
export async function unpacked(text) {
  if (/^\s*\(/.test(text)) return text;
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await squeezed(bytes, "inflate"));
}

/**
 * A position as a record that only sets its stones up.
 * @param {{ width: number, height: number, komi: number }} sheet
 * @param {{ stones: string, to_move: Api.Color }} view
 */
export function positionRecord({ width, height, komi }, { stones, to_move: mover }) {
  const letter = (/** @type {number} */ at) => String.fromCharCode(97 + at);
  /** @param {string} stone */
  const points = (stone) =>
    [...stones]
      .flatMap((one, at) => (one === stone ? [`[${letter(at % width)}${letter(Math.floor(at / width))}]`] : []))
      .join("");
  const side = width === height ? width : `${width}:${height}`;
  const [black, white] = [points("X"), points("O")];
  return (
    `(;GM[1]FF[4]CA[UTF-8]SZ[${side}]KM[${komi}]PL[${mover === "black" ? "B" : "W"}]` +
    `${black ? `AB${black}` : ""}${white ? `AW${white}` : ""})`
  );
}

/** The address of this page with a record in it. @param {string} text what was packed @param {string} [view] */
export function shareLink(text, view = "sgf") {
  return `${location.origin}${location.pathname}#/${view}/${text}`;
}
