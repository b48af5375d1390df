import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { LESSONS } from "../page/lessons.js";
import {
  LANGUAGES,
  aboutRank,
  choose,
  endsClosed,
  failureText,
  illegalText,
  number,
  opponentName,
  outcomeText,
  playerName,
  resultText,
  speak,
  t,
} from "../page/strings.js";
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
const holes = (text) => [...new Set([...text.matchAll(/\{(\w+)[}:]/g)].map((match) => match[1]))].sort();

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
  const together = /^(error|why|rules|level|opponent|phase|info|sign|clock|lesson|fact|region|part|focus)_/;
  for (const key of Object.keys(en)) assert.ok(asked.has(key) || together.test(key), `${key} is never used`);
});

test("every lesson has its words", () => {
  for (const { name, choices, kind, wrong } of LESSONS) {
    const parts = ["title", "text", "task", "done"];
    if (wrong || kind === "exercise") parts.push("wrong");
    for (const part of parts) assert.ok(Object.hasOwn(en, `lesson_${name}_${part}`));
    for (const [, key] of choices ?? []) assert.ok(Object.hasOwn(en, key));
  }
});

test("every level has a name of its own in every language", async () => {
  for (const code of ["zh", "ja", "ko", "en"]) {
    await speak(code);
    const names = Array.from({ length: 20 }, (_, i) => opponentName(i + 1));
    assert.equal(new Set(names).size, 20, code);
    assert.ok(names.every((name) => !/\d/.test(name)), code);
  }
});

test("Korean particles fit the names before them", async () => {
  assert.equal(endsClosed("흑", "이"), true);
  assert.equal(endsClosed("나", "은"), false);
  assert.equal(endsClosed("D4", "은"), false);
  assert.equal(endsClosed("D3", "은"), true);
  assert.equal(endsClosed("D1", "으로"), false);
  await speak("ko");
  assert.equal(t("status_thinking", { player: "백" }), "백이 생각하고 있습니다…");
  assert.equal(t("status_thinking", { player: "기사" }), "기사가 생각하고 있습니다…");
  assert.equal(t("delete_sure", { title: "기보" }), "“기보”를 완전히 삭제할까요?");
  await speak("en");
});

test("players are told about themselves", () => {
  const seats = { black: { kind: "person" }, white: { kind: "engine", level: 3 } };
  assert.equal(playerName(seats, "black"), "You");
  assert.equal(playerName(seats, "white"), "Frog, level 3");
  assert.equal(outcomeText("B+R", seats), "You win. Black wins by resignation");
  assert.equal(outcomeText("W+2.5", seats), "You lose. White wins by 2.5 points");
  assert.equal(outcomeText("0", seats), "Draw");
  // Two at one screen are Black and White, and who has a name keeps it.
  const two = { black: { kind: "person" }, white: { kind: "person" } };
  assert.equal(playerName(two, "black"), "Black");
  assert.equal(outcomeText("B+R", two), "Black wins by resignation");
  assert.equal(playerName({ ...seats, black: { kind: "person", name: "Ada" } }, "black"), "Ada");
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

test("a rank is told in words", async () => {
  assert.equal(aboutRank("12k"), "about 12 kyu");
  assert.equal(aboutRank("1d"), "about 1 dan");
  await speak("ja");
  assert.equal(aboutRank("30k"), "約30級");
  await speak("en");
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
