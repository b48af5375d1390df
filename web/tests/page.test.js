import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../page/", import.meta.url);

/** @param {URL} folder @returns {URL[]} */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(new URL(`${entry.name}/`, folder)) : [new URL(entry.name, folder)],
  );
}

const all = files(page).map((url) => ({
  name: url.pathname.slice(page.pathname.length),
  text: readFileSync(url, "utf8"),
}));

test("whoever opens every view, in whichever language, loads less than 400 kB before compression", () => {
  const bytes = (/** @type {{ text: string }[]} */ files) =>
    files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  // English is always there; of the others, one. What runs in place of a server has an edition of its own.
  const others = all.filter(({ name }) => /^strings\/(?!en)/.test(name));
  const elsewhere = all.filter(({ name }) => /^backend\/(wasm\/|worker)/.test(name));
  const loaded = bytes(all) - bytes(others) - bytes(elsewhere) + Math.max(...others.map((file) => bytes([file])));
  assert.ok(loaded < 400_000, `${loaded} bytes`);
});

test("nothing is loaded from elsewhere", () => {
  for (const { name, text } of all) {
    for (const [address] of text.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`$]+/g))
      assert.equal(address, "http://www.w3.org/2000/svg", name);
  }
});

test("nothing needs more than the strictest policy allows", () => {
  for (const { name, text } of all) {
    if (name.endsWith(".js"))
      assert.doesNotMatch(
        text,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\("style"/,
        name,
      );
    if (name.endsWith(".js")) assert.doesNotMatch(text, /\bstyle: (?!"percent")/, name);
    if (name.endsWith(".html")) assert.doesNotMatch(text, /\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)/, name);
    if (name.endsWith(".css")) assert.doesNotMatch(text, /@import|url\((?!#)/, name);
  }
});

test("what the page begins with is there", () => {
  const index = all.find(({ name }) => name === "index.html")?.text ?? "";
  const wanted = [...index.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]);
  assert.ok(wanted.length >= 4);
  for (const name of wanted) assert.ok(all.some((file) => file.name === name), name);
});

test("files have names that the server serves", () => {
  for (const { name } of all) assert.match(name, /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/);
});

test("the page calls only what a back end offers", () => {
  const document = JSON.parse(readFileSync(new URL("../../crates/tengen-app/openapi.json", import.meta.url), "utf8"));
  const offered = new Set(Object.keys(document.paths).map((path) => path.replace(/^\/api\//, "")));
  const own = all.filter(({ name }) => name.endsWith(".js") && !name.startsWith("backend/"));
  const calls = /\.(?:call|do|act)\("([a-z]+(?:\.[a-z]+)?)"/g;
  const called = own.flatMap(({ text }) => [...text.matchAll(calls)].map((match) => match[1]));
  assert.ok(called.length > 20);
  for (const method of called) assert.ok(offered.has(method), method);
});
