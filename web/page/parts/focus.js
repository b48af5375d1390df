// How the focus came to where it is: arrows mean something else to those who walk with the Tab key than after a click.

let tabbed = false;

if (typeof document !== "undefined") {
  document.addEventListener("pointerdown", () => (tabbed = false), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
  }, true);
}

/**
 * Gives the heading of what has just appeared the focus. What appeared is brought into sight where it is not: on a
 * phone a list may be far below the place that it fills.
 * @param {HTMLElement} heading
 */
export function arrive(heading) {
  heading.focus({ preventScroll: true });
  const { top, bottom } = heading.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) (heading.closest("section") ?? heading).scrollIntoView({ block: "start" });
}

/** Did somebody come here with the Tab key, and not with a click? */
export function cameByTab() {
  return tabbed;
}
