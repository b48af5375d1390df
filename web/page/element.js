// Elements, made and filled: as nodes, never as markup in a string.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child @typedef {Record<string, any>} Attributes */

/** @param {Element} element @param {Attributes} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** @param {Element} element @param {(Child | Child[])[]} children */
export function fill(element, ...children) {
  const nodes = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(
    .../** @type {(Node | string)[]} */ (nodes.map((child) => (typeof child === "number" ? String(child) : child))),
  );
}

/**
 * Fills an element anew and leaves the focus where it was: on the control that does the same as before, or else on the
 * first one.
 * @param {HTMLElement} element
 * @param {(Child | Child[])[]} children
 */
export function refill(element, ...children) {
  const active = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const doing = active?.dataset.do;
  fill(element, ...children);
  if (!active) return;
  const same = doing ? element.querySelector(`[data-do="${doing}"]`) : null;
  /** @type {HTMLElement | null} */ (same ?? element.querySelector("button"))?.focus();
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * Changes the text of an element only if it differs, so that screen readers are not told of it again.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let names = 0;

/** A name for an element that nothing else on the page has. @param {string} stem */
export function unique(stem) {
  names += 1;
  return `${stem}-${names}`;
}
