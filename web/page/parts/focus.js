// How the focus came to where it is: arrows mean something else to those who walk with the Tab key than after a click.

let tabbed = false;

if (typeof document !== "undefined") {
  document.addEventListener("pointerdown", () => (tabbed = false), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
  }, true);
}

/** Did somebody come here with the Tab key, and not with a click? */
export function cameByTab() {
  return tabbed;
}
