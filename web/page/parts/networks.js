// The networks that the engine can judge by: those that people have brought, and the built-in ones.

import { fill, h, unique } from "../element.js";
import { t } from "../strings.js";
import { button } from "./controls.js";
import { toasts } from "./toasts.js";

/** What files of networks are called. */
const NETWORK_FILE = /\.(bin|txt)(\.gz)?$|\.safetensors$/i;

/** Looks a file like a network? @param {File} file */
export const isNetwork = (file) => NETWORK_FILE.test(file.name);

/**
 * Lets the engine judge by the network in a file, and says what came of it.
 * @param {Backend} backend
 * @param {File} file
 * @returns {Promise<Api.NetworkList | null>}
 */
export async function addNetwork(backend, file) {
  try {
    const { most_bytes } = await backend.call("networks.list");
    if (file.size > most_bytes) {
      toasts.show(t("network_too_large", { name: file.name, n: Math.floor(most_bytes / 1e6) }), "error");
      return null;
    }
    const list = await backend.addNetwork(file);
    toasts.show(t("network_added", { name: file.name }));
    return list;
  } catch (failure) {
    const { message = String(failure) } = /** @type {any} */ (failure) ?? {};
    toasts.show(t("network_refused", { name: file.name, message }), "error");
    return null;
  }
}

/**
 * A list to choose from.
 * @param {import("../app.js").App} app
 * @returns {HTMLElement | null} nothing where there is no choice
 */
export function networkPicker({ backend, about }) {
  // The settings can be opened before it is known what is behind the page.
  if (!about?.features.networks || !about.may_play) return null;
  const group = unique("network");
  const rows = h("div", { class: "networks" });
  const root = h("fieldset", { class: "choice" }, h("legend", {}, t("network")), rows);

  /** @param {() => Promise<Api.NetworkList | null>} change */
  const change = async (change) => {
    root.setAttribute("aria-busy", "true");
    try {
      const list = await change();
      if (list) show(list);
    } catch (failure) {
      toasts.refuse(failure);
      show(await backend.call("networks.list"));
    } finally {
      root.removeAttribute("aria-busy");
    }
  };
  /** @param {string | null} name @param {string} title @param {string} more @param {boolean} chosen */
  const row = (name, title, more, chosen) =>
    h(
      "div",
      { class: "network" },
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: group,
          checked: chosen,
          onchange: () => change(() => backend.call("networks.choose", name === null ? {} : { name })),
        }),
        h("span", {}, title, more && [" ", h("small", {}, more)]),
      ),
      name !== null &&
        button(t("network_delete", { name }), () => change(() => backend.call("networks.delete", { name })), {
          icon: "close",
          bare: true,
          kind: "quiet",
        }),
    );
  /** @param {Api.NetworkList} list */
  const show = ({ networks }) => {
    const facts = (/** @type {string} */ about, /** @type {number} */ bytes) =>
      [about, t("megabytes", { n: bytes / 1e6 })].filter(Boolean).join(" · ");
    const file = h("input", {
      type: "file",
      class: "spoken",
      accept: ".gz,.bin,.txt,.safetensors",
      onchange: () => {
        const chosen = file.files?.[0];
        if (chosen) change(() => addNetwork(backend, chosen));
      },
    });
    fill(
      rows,
      row(null, t("network_builtin"), "", !networks.some(({ chosen }) => chosen)),
      networks.map(({ name, about, bytes, chosen }) => row(name, name, facts(about, bytes), chosen)),
      h("label", { class: "button quiet" }, file, h("span", {}, t("network_add"))),
    );
  };
  change(() => backend.call("networks.list"));
  return root;
}
