// The first hour and problems: what is right, what is wrong, and what comes back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessible, browser, content, named, picture, point, raise, server, visit } from "./stage.js";

raise();

const SET = readFileSync(new URL("../page/problems.sgf", import.meta.url), "utf8").replaceAll("\n", "");

/** The name of a point that a record writes with two letters. @param {string} letters @param {number} side */
function pointName(letters, side) {
  const column = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[letters.charCodeAt(0) - 97];
  return `${column}${side - (letters.charCodeAt(1) - 97)}`;
}

/** The first moves of a problem of the page: the right one, and wrong ones. @param {number} number from 1 on */
function firstMoves(number) {
  const record = SET.split(/(?=\(;FF\[4\])/)[number - 1];
  const side = Number(/SZ\[(\d+)\]/.exec(record)?.[1]);
  const right = /\(;B\[(\w\w)\]TE/.exec(record)?.[1] ?? "";
  const wrong = [...record.matchAll(/\(;B\[(\w\w)\]BM\[1\];W\[(\w\w)\]/g)].map((match) => match.slice(1));
  return {
    right: pointName(right, side),
    wrong: wrong.map((pair) => pair.map((letters) => pointName(letters, side))),
  };
}

/** Exercises of lessons, with a wrong first move where one fails at once, and the moves that do it. */
const EXERCISES = {
  eyes: { wrong: "A7", right: ["B7"] },
  ladder: { wrong: "C4", right: ["D5", "C3", "E4", "D2", "F3", "E1", "G2", "G1"] },
  net: { wrong: "E4", right: ["E3", "F4", "F5", "D2"] },
  snapback: { wrong: "B7", right: ["C7", "C7"] },
};

for (const [lesson, { wrong, right }] of Object.entries(EXERCISES)) {
  test(`the solver answers in the lesson about ${lesson}`, async () => {
    const page = await visit(browser);
    await page.goto(`${server.address}#/learn/${lesson}`);
    await named(page, wrong, /empty(?!.*not playable)/);
    await point(page, wrong).click();
    await page.locator(".feedback.off").waitFor();
    await accessible(page, `${lesson}, a wrong move`);
    await picture(page, `lesson-${lesson}-wrong`);
    await page.getByRole("button", { name: "Take it back" }).click();
    for (const [i, move] of right.entries()) {
      await page.waitForFunction(() => !document.querySelector(".board")?.classList.contains("waiting"));
      // Whoever is not at the end is told so.
      if (i > 0) await page.locator(".feedback.going", { hasText: "Right so far. Go on." }).waitFor();
      await named(page, move, /empty/);
      await point(page, move).click();
    }
    await page.locator(".feedback.on").waitFor();
    assert.match((await page.locator(".lessons a[aria-current]").textContent()) ?? "", /✓/);
    assert.ok(await page.locator(".next-lesson.primary").isVisible());
    await picture(page, `lesson-${lesson}`);
    await accessible(page, lesson);
    content(page);
  });
}

test("a wrong move in a lesson is taken back with a word", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/learn/capture`);
  await named(page, "A1", /empty/);
  await point(page, "A1").click();
  await page.locator(".feedback.off").waitFor();
  await named(page, "A1", /empty/);
  await point(page, "E5").click();
  await page.locator(".feedback.on").waitFor();
  content(page);
});

test("the first capture wins against the engine, or loses", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/learn/match`);
  await named(page, "D4", /empty/);
  await point(page, "D4").click();
  await named(page, "D4", /black/);
  await page.waitForFunction(() => document.querySelectorAll(".stones .stone").length >= 2);
  await picture(page, "lesson-match");
  await accessible(page, "a capture game");
  content(page);
});

test("the first game begins from the last lesson", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/learn/first_game`);
  await page.getByRole("heading", { name: "Your first game" }).waitFor();
  await accessible(page, "the first game");
  await page.getByRole("button", { name: "Start a 9×9 game" }).click();
  await page.locator(".play .board").waitFor();
  await page.getByText("Play. I look at each of your moves.").waitFor();
  content(page);
});

test("a problem is solved, and the next one is offered", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/problems`);
  await page.locator(".problem-grid").first().waitFor();
  assert.ok((await page.locator(".problem-link").count()) >= 60);
  await accessible(page, "problems");
  await picture(page, "problems");
  await page.getByRole("link", { name: "Begin" }).click();
  const { right } = firstMoves(1);
  await named(page, right, /empty/);
  await picture(page, "problem-asked");
  await accessible(page, "a problem");
  await point(page, right).click();
  await page.getByText("Solved!", { exact: true }).waitFor();
  await picture(page, "problem-solved");
  await page.getByRole("link", { name: "Next problem" }).click();
  await page.getByRole("heading", { name: "Problem 2" }).waitFor();
  await page.goto(`${server.address}#/problems`);
  await page.getByText("1 of 80 solved").waitFor();
  content(page);
});

test("a wrong move is answered and can be taken back", async () => {
  const page = await visit(browser);
  const number = 40;
  const { right, wrong } = firstMoves(number);
  const [first, answer] = wrong[0];
  await page.goto(`${server.address}#/problems/own/${number}`);
  await named(page, first, /empty/);
  await point(page, first).click();
  await named(page, answer, /white/);
  await page.locator(".feedback.off").waitFor();
  await picture(page, "problem-wrong");
  await accessible(page, "a wrong move");
  await page.getByRole("button", { name: "Take it back" }).click();
  await named(page, first, /empty/);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".highlight").waitFor({ state: "attached" });
  await point(page, right).click();
  await named(page, right, /black/);
  await page.getByRole("button", { name: "Solution" }).click();
  await page.getByText("This is the solution.").waitFor();
  await named(page, right, /black/);
  // It comes back.
  await page.goto(`${server.address}#/problems`);
  await page.locator(".problem-link.failed").waitFor();
  content(page);
});

test("a collection of somebody else is opened, and the solver refutes what it says nothing about", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/problems`);
  const sgf =
    "(;GM[1]FF[4]SZ[9]PL[B]C[Kill.]AB[ea][eb][ac][bc][cc][dc][ec]AW[da][ab][bb][cb][db]TR[da];B[ba]C[Correct];W[aa])";
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "mine.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(sgf) });
  await page.getByRole("heading", { name: "mine.sgf" }).waitFor();
  await page.getByRole("link", { name: "Begin" }).click();
  await page.getByText("Kill.").waitFor();
  await named(page, "C9", /empty/);
  await point(page, "C9").click();
  await page.getByText("it is proven").waitFor();
  await named(page, "B9", /white/);
  await picture(page, "problem-refuted");
  await page.reload();
  await named(page, "B9", /empty/);
  await point(page, "B9").click();
  await page.getByText("Solved", { exact: false }).first().waitFor();
  content(page);
});

for (const [locale, word] of /** @type {[string, string][]} */ ([
  ["zh-CN", "死活题"],
  ["ja-JP", "詰碁"],
  ["ko-KR", "사활 문제"],
])) {
  test(`problems and lessons speak ${locale}`, async () => {
    const page = await visit(browser, { locale, colorScheme: "dark" });
    await page.goto(`${server.address}#/problems`);
    await page.locator(".problem-grid").first().waitFor();
    await page.getByRole("link", { name: word }).first().waitFor();
    await picture(page, `problems-${locale.slice(0, 2)}`);
    await accessible(page, `problems in ${locale}`);
    await page.goto(`${server.address}#/learn/ladder`);
    await named(page, "D5", /D5/);
    await picture(page, `ladder-${locale.slice(0, 2)}`);
    await accessible(page, `a lesson in ${locale}`);
    content(page);
  });
}
