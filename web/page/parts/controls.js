// The buttons and fields that all views are made of.

import { h, unique } from "../element.js";
import { icon } from "../icons.js";
import { cameByTab } from "./focus.js";

/**
 * @param {string} label
 * @param {() => void} press
 * @param {{
 *   icon?: import("../icons.js").IconName, kind?: "primary" | "quiet" | "danger" | "", bare?: boolean,
 *   [name: string]: any
 * }} [options] `bare`: the icon alone is seen
 */
export function button(label, press, { icon: name, kind = "", bare = false, ...rest } = {}) {
  // A button that is of no use at the moment can still be focused and read.
  const onclick = () => {
    if (made.getAttribute("aria-disabled") !== "true") press();
  };
  const made = h(
    "button",
    {
      type: "button",
      class: `button ${kind}${bare ? " bare" : ""}`,
      "aria-label": bare ? label : null,
      title: bare ? label : null,
      onclick,
      ...rest,
    },
    name && icon(name),
    !bare && h("span", {}, label),
  );
  return made;
}

/**
 * A button that stays pressed.
 * @param {string} label
 * @param {boolean} pressed
 * @param {(pressed: boolean) => void} change
 * @param {{ icon?: import("../icons.js").IconName, bare?: boolean, kind?: "quiet" | "" }} [options]
 */
export function toggle(label, pressed, change, options = {}) {
  const made = button(label, () => {
    const now = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(now));
    change(now);
  }, options);
  made.setAttribute("aria-pressed", String(pressed));
  return made;
}

/**
 * One of a few choices, side by side.
 * @template {string} Value
 * @param {string} legend
 * @param {[Value, string | Node][]} choices
 * @param {Value} value
 * @param {(value: Value) => void} change
 * @param {{ hidden?: boolean, class?: string }} [options]
 */
export function choice(legend, choices, value, change, { hidden = false, class: name = "" } = {}) {
  const group = unique("choice");
  return h(
    "fieldset",
    { class: `choice ${name}` },
    h("legend", { class: hidden ? "spoken" : "" }, legend),
    h(
      "div",
      { class: "segments" },
      choices.map(([one, label]) =>
        h(
          "label",
          { class: "segment" },
          h("input", { type: "radio", name: group, value: one, checked: one === value, onchange: () => change(one) }),
          h("span", {}, label),
        ),
      ),
    ),
  );
}

/** @param {string} label @param {HTMLElement} control @param {string} [hint] */
export function field(label, control, hint) {
  control.id ||= unique("field");
  return h(
    "div",
    { class: "field" },
    h("label", { for: control.id }, label),
    control,
    hint && h("p", { class: "hint" }, hint),
  );
}

/**
 * @template {string} Value
 * @param {[Value, string][]} choices
 * @param {Value} value
 * @param {(value: Value) => void} change
 */
export function select(choices, value, change) {
  return h(
    "select",
    {
      onchange: (/** @type {Event} */ event) =>
        change(/** @type {Value} */ (/** @type {HTMLSelectElement} */ (event.target).value)),
    },
    choices.map(([one, label]) => h("option", { value: one, selected: one === value }, label)),
  );
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {(checked: boolean) => void} change
 * @param {string} [hint] what it does, in a few words more
 */
export function checkbox(label, checked, change, hint) {
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked,
      onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked),
    }),
    hint ? h("span", {}, label, h("span", { class: "hint" }, hint)) : h("span", {}, label),
  );
}

/**
 * Pages of a panel of which one is seen.
 * @param {string} label
 * @param {{ name: string, title: string, content: HTMLElement }[]} pages
 * @param {(name: string) => void} [changed]
 */
export function tabs(label, pages, changed) {
  const id = unique("tab");
  /** @param {number} chosen */
  const choose = (chosen) => {
    pages.forEach((_, i) => {
      const selected = i === chosen;
      heads[i].setAttribute("aria-selected", String(selected));
      heads[i].tabIndex = selected ? 0 : -1;
      bodies[i].hidden = !selected;
    });
    changed?.(pages[chosen].name);
  };
  const heads = pages.map((page, i) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${id}-head-${i}`,
        "aria-controls": `${id}-body-${i}`,
        class: "tab",
        onclick: () => choose(i),
      },
      page.title,
    ),
  );
  const bodies = pages.map((page, i) =>
    h(
      "div",
      // What scrolls can be scrolled by keys, too.
      {
        role: "tabpanel",
        id: `${id}-body-${i}`,
        "aria-labelledby": `${id}-head-${i}`,
        class: "tab-body",
        tabindex: 0,
      },
      page.content,
    ),
  );
  const list = h("div", { role: "tablist", "aria-label": label, class: "tabs" }, heads);
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    // After a click the arrows are for moves; who came here by keyboard walks along the tabs.
    if (step === 0 || !cameByTab()) return;
    event.preventDefault();
    event.stopPropagation();
    const to = (heads.findIndex((head) => head.tabIndex === 0) + step + heads.length) % heads.length;
    choose(to);
    heads[to].focus();
  });
  choose(0);
  return {
    root: h("div", { class: "tabbed" }, list, bodies),
    choose: (/** @type {string} */ name) => choose(pages.findIndex((page) => page.name === name)),
  };
}
