import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
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

/** The modules that one loads at once, itself included. @param {string} name @param {Set<string>} known */
function loaded(name, known = new Set()) {
  if (known.has(name)) return known;
  known.add(name);
  const text = all.find((file) => file.name === name)?.text ?? "";
  for (const [, from] of text.matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"/gm))
    loaded(new URL(from, new URL(name, page)).pathname.slice(page.pathname.length), known);
  return known;
}

test("whoever opens any view, in whichever language, loads less than 400 kB before compression", () => {
  const bytes = (/** @type {Iterable<string>} */ names) =>
    [...names].reduce((sum, name) => sum + statSync(new URL(name, page)).size, 0);
  // English is always there; of the others, one.
  const others = all.filter(({ name }) => /^strings\/(?!en)/.test(name)).map(({ name }) => name);
  const languages = [...new Set(others.map((name) => name.slice(8, 10)))];
  const ofLanguage = (/** @type {string} */ code) => others.filter((name) => name.startsWith(`strings/${code}`));
  const language = Math.max(...languages.map((code) => bytes(ofLanguage(code))));
  const index = all.find(({ name }) => name === "index.html")?.text ?? "";
  const first = loaded("main.js");
  for (const [, name] of index.matchAll(/href="([^"]+)"/g)) first.add(name);
  const views = all.filter(({ name }) => /^views\//.test(name)).map(({ name }) => name);
  assert.ok(views.length > 8);
  for (const view of views) {
    const sum = bytes(["index.html", ...loaded(view, new Set(first))]) + language;
    assert.ok(sum > 100_000 && sum < 400_000, `${view}: ${sum} bytes`);
  }
  // Problems are no part of the page but what it is used for; they come when somebody wants them.
  const problems = bytes(["problems.sgf"]);
  assert.ok(problems > 10_000 && problems < 48_000, `${problems} bytes of problems`);
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

test("the page can be installed: its manifest names icons that are there, in the sizes that it says", () => {
  const manifest = JSON.parse(readFileSync(new URL("manifest.webmanifest", page), "utf8"));
  assert.equal(manifest.display, "standalone");
  for (const { src, sizes, type } of manifest.icons) {
    const bytes = readFileSync(new URL(src, page));
    if (type !== "image/png") continue;
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  assert.ok(manifest.icons.some((/** @type {any} */ icon) => icon.sizes === "512x512"));
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
