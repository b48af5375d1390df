// Opening records and networks: dropped anywhere on the page, chosen as files, or pasted as text.

import { h } from "../element.js";
import { gameLink, parse } from "../route.js";
import { t } from "../strings.js";
import { addNetwork, isNetwork } from "./networks.js";
import { toasts } from "./toasts.js";

/** @param {Uint8Array} bytes @returns {string} */
export function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/**
 * @typedef {{ name: string, games: { id: string, title: string }[], diagnostics: Api.Diagnostic[] }} Opened
 */

/**
 * What was found in files that were opened, kept until the review shows it.
 * @type {Map<string, Api.Diagnostic[]>}
 */
export const found = new Map();

/** The encodings that records are found in. */
export const ENCODINGS = [
  "UTF-8", "GBK", "gb18030", "Big5", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "EUC-KR", "windows-1252",
  "windows-1250", "windows-1251", "KOI8-R", "macintosh", "UTF-16LE", "UTF-16BE", "ISO-8859-2",
];

/** The encoding that somebody chose for files, or nothing. */
export const chosen = { encoding: "" };

/** @param {Backend} backend @param {File} file @returns {Promise<Opened>} */
export async function openFile(backend, file) {
  const { encoding } = chosen;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const params = { name: file.name, base64: base64(bytes), ...(encoding ? { encoding } : {}) };
  const result = await backend.call("games.open", params);
  return keep({ name: file.name, ...result });
}

/** @param {Backend} backend @param {string} text @returns {Promise<Opened>} */
export async function openText(backend, text) {
  const result = await backend.call("games.open", { text });
  return keep({ name: t("pasted"), ...result });
}

/** Begins an empty record. @param {import("../app.js").App} app @param {import("../coordinates.js").Size} size */
export async function openBoard(app, { width, height }) {
  const side = width === height ? width : `${width}:${height}`;
  const record = { text: `(;GM[1]FF[4]SZ[${side}])`, name: t("new_board") };
  const { games } = await app.backend.call("games.open", record);
  app.go({ view: "game", game: games[0].id, node: null });
}

/** @param {Opened} opened */
function keep(opened) {
  for (const game of opened.games) found.set(game.id, opened.diagnostics);
  return opened;
}

/**
 * Goes to the only game of what was opened, or lets somebody choose.
 * @param {import("../app.js").App} app
 * @param {Opened[]} opened
 */
export function enter(app, opened) {
  const games = opened.flatMap((one) => one.games);
  if (games.length === 1) {
    app.go({ view: "game", game: games[0].id, node: null });
    return;
  }
  const dialog = h(
    "dialog",
    { class: "sheet-dialog", "aria-label": t("opened_n", { n: games.length }), onclose: () => dialog.remove() },
    h("h2", {}, t("opened_n", { n: games.length })),
    h(
      "ul",
      { class: "plain-list" },
      games.map((game) => h("li", {}, h("a", { href: gameLink(game.id), onclick: () => dialog.close() }, game.title))),
    ),
    h("form", { method: "dialog" }, h("button", { class: "button" }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Files that are dropped on the page or pasted into it are opened, wherever that is.
 * @param {import("../app.js").App} app
 */
export function listenForFiles(app) {
  const words = h("p");
  const veil = h("div", { class: "drop-veil" }, words);
  let depth = 0;
  const over = (/** @type {boolean} */ on) => {
    words.textContent = t("drop_here");
    if (on) document.body.append(veil);
    else veil.remove();
  };
  document.addEventListener("dragenter", (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    depth += 1;
    over(true);
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) over(false);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    openFiles(app, [...(event.dataTransfer?.files ?? [])], event.dataTransfer?.getData("text/plain") ?? "");
  });
  document.addEventListener("paste", (event) => {
    if (/** @type {Element} */ (event.target).closest?.("input, textarea")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    // Not every text on a clipboard is meant for the page.
    if (files.length > 0 || /^\s*\(\s*;/.test(text)) openFiles(app, files, text);
  });
}

/**
 * An address may have a record in it; what lies behind others is not loaded.
 * @param {import("../app.js").App} app @param {string} address
 */
function openAddress(app, address) {
  const to = parse(address.slice(address.indexOf("#") + 1 || address.length));
  if (to.view === "sgf" || to.view === "embed") app.go({ view: "sgf", text: to.text });
  else toasts.show(t("open_address"), "error");
}

/** @param {import("../app.js").App} app @param {File[]} files @param {string} text */
export async function openFiles(app, files, text) {
  if (files.length === 0 && /^https?:\S+$/.test(text.trim())) {
    openAddress(app, text.trim());
    return;
  }
  const opened = [];
  const networks = app.about.features.networks ? files.filter(isNetwork) : [];
  for (const file of networks) await addNetwork(app.backend, file);
  const records = files.filter((file) => !networks.includes(file));
  try {
    for (const file of records) opened.push(await openFile(app.backend, file));
    if (files.length === 0 && text.trim() !== "") opened.push(await openText(app.backend, text));
  } catch (failure) {
    toasts.refuse(failure);
  }
  if (opened.some((one) => one.games.length > 0)) enter(app, opened);
}
