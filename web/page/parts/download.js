// Files of a game: pictures beside a list, and what somebody saves.

import { h } from "../element.js";
import { attempt } from "./toasts.js";
import { button } from "./controls.js";

/**
 * A button that saves a game as a file.
 * @param {Backend} backend
 * @param {string} label
 * @param {{ game: string, kind: string, node?: number }} what
 */
export function saveButton(backend, label, { game, kind, node }) {
  const save = attempt(async () => {
    const { address, name } = await backend.file(game, kind, node);
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    free(address);
  });
  return button(label, save, { icon: "download", "data-save": kind });
}

/** A small picture of the board, once it has been drawn. @param {Backend} backend @param {string} game */
export function thumbnail(backend, game) {
  const place = h("span", { class: "thumb" });
  backend.file(game, "svg").then(
    ({ address }) => {
      // A picture that does not come is no loss: the list says the rest.
      const image = h("img", {
        alt: "",
        loading: "lazy",
        width: 48,
        height: 48,
        onload: () => free(address),
        onerror: () => image.remove(),
        src: address,
      });
      place.append(image);
    },
    () => {},
  );
  return place;
}

/**
 * Gives back the memory of a file that was made for this page, after a while in which it may still be read.
 * @param {string} address
 */
function free(address) {
  if (address.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
