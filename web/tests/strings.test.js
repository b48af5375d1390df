import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { LESSONS } from "../page/lessons.js";
import { LANGUAGES, choose, failureText, illegalText, number, resultText, speak, t } from "../page/strings.js";
import en from "../page/strings/en.js";

const page = new URL("../page/", import.meta.url);

/** @param {URL} folder @returns {string[]} the text of every module of the page but the words themselves */
function modules(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === "strings" ? [] : modules(new URL(`${entry.name}/`, folder));
    return entry.name.endsWith(".js") ? [readFileSync(new URL(entry.name, folder), "utf8")] : [];
  });
}

/** @param {string | Record<string, string>} entry */
const forms = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));

/** @param {string} text */
const holes = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();

for (const code of Object.keys(LANGUAGES)) {
  test(`the words in ${code} are complete`, async () => {
    const words = (await import(`../page/strings/${code}.js`)).default;
    assert.deepEqual(Object.keys(words).sort(), Object.keys(en).sort());
    for (const [key, entry] of Object.entries(words)) {
      const original = en[/** @type {keyof typeof en} */ (key)];
      assert.equal(typeof entry, typeof original, key);
      if (typeof entry === "object") assert.ok(entry.other, `${key} has no form for any other number`);
      const wanted = [...new Set(forms(original).flatMap(holes))].sort();
      const found = [...new Set(forms(entry).flatMap(holes))].sort();
      assert.deepEqual(found, wanted, key);
      for (const form of forms(entry)) assert.ok(form.trim() !== "" || key === "list_comma", key);
    }
  });

  test(`every number has a form in ${code}`, async () => {
    await speak(code);
    for (const n of [0, 1, 2, 3, 5, 11, 21, 100, 0.5]) assert.ok(t("captures_n", { n }).includes(number(n)));
    await speak("en");
  });
}

test("every word that the page asks for is there, and no word is there for nothing", () => {
  const text = modules(page).join("\n");
  const asked = new Set([...text.matchAll(/"([a-z][a-z0-9_]*)"/g)].map((match) => match[1]));
  for (const match of text.matchAll(/\bt\("(\w+)"/g)) assert.ok(Object.hasOwn(en, match[1]), match[1]);
  const together = /^(error|why|rules|level|phase|info|sign|clock|lesson|fact|region|part|focus)_/;
  for (const key of Object.keys(en)) assert.ok(asked.has(key) || together.test(key), `${key} is never used`);
});

test("every lesson has its words", () => {
  for (const { name, choices } of LESSONS) {
    for (const part of ["title", "text", "task", "done"]) assert.ok(Object.hasOwn(en, `lesson_${name}_${part}`));
    for (const [, key] of choices ?? []) assert.ok(Object.hasOwn(en, key));
  }
});

test("the language is the first preferred one that there is", () => {
  assert.equal(choose(["de-DE", "ko-KR", "en"]), "ko");
  assert.equal(choose(["zh-TW"]), "zh");
  assert.equal(choose(["fr"]), "en");
  assert.equal(choose([]), "en");
});

test("numbers choose the form and are written as the language does", () => {
  assert.equal(t("captures_n", { n: 1 }), "1 capture");
  assert.equal(t("captures_n", { n: 1234 }), "1,234 captures");
});

test("results are told in words", () => {
  assert.equal(resultText("B+3.5"), "Black wins by 3.5 points");
  assert.equal(resultText("W+1"), "White wins by 1 point");
  assert.equal(resultText("W+R"), "White wins by resignation");
  assert.equal(resultText("W+Resign"), "White wins by resignation");
  assert.equal(resultText("B+T"), "Black wins on time");
  assert.equal(resultText("B+F"), "Black wins by forfeit");
  assert.equal(resultText("B+"), "Black wins");
  assert.equal(resultText("0"), "Draw");
  assert.equal(resultText("Void"), "Void");
});

test("refusals are told by their code, and as they came when there are no words for it", () => {
  assert.equal(failureText({ code: "not_live", message: "x" }), en.error_not_live);
  assert.equal(failureText({ code: "limit", message: "at most 3 games" }), "That is too much: at most 3 games");
  assert.equal(failureText({ code: "something_new", message: "It rains." }), "It rains.");
  assert.equal(failureText({ code: "illegal_move", message: "x", data: { reason: "ko" } }), en.why_ko);
  assert.equal(illegalText({ reason: "superko", number: 12 }), "Superko: the board would be as it was after move 12.");
  assert.equal(illegalText({ reason: "superko", number: 0 }), en.why_superko_start);
  assert.equal(illegalText({ reason: "unheard_of" }), en.why_other);
});
