// A review that teaches: mistakes beside the better move, exercises, the summary, the graph, and files with all of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessible, browser, content, named, paste, picture, raise, server, visit } from "./stage.js";

raise();

/** Black lets two stones be captured with the move in the corner, and White then takes them. */
const GAME =
  "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]PB[Ada]PW[Bo];B[ee];W[de];B[ed];W[ef];B[dd];W[fe];B[ce];W[ec];B[df];W[fd]" +
  ";B[dg];W[eg];B[aa];W[dc];B[cc];W[cd])";

/** @param {import("playwright-core").Page} page @param {string} [text] */
async function review(page, text = GAME) {
  await paste(page, server.address, text);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("button", { name: "Look deeper" }).waitFor();
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.locator(".worst-move").first().waitFor();
}

test("a mistake is shown beside the better move, with a reason", async () => {
  const page = await visit(browser, { viewport: { width: 1280, height: 800 } });
  await review(page);
  await picture(page, "teaching-list");
  const rows = await page.locator(".worst-move").allTextContents();
  for (const row of rows) {
    const [, played, better] = /(?:Black|White) (\w+)better: (\w+)/.exec(row) ?? [];
    assert.notEqual(played, better, "a move that equals the best loses nothing");
    assert.match(row, /±/, "every loss has its error");
  }
  await page.locator(".worst-move").first().click();
  const comparison = page.locator(".comparison");
  await comparison.waitFor();
  assert.equal(await comparison.locator(".compared").count(), 2);
  assert.ok((await comparison.locator(".compared.worse .line .number").count()) >= 1);
  assert.ok((await comparison.locator(".compared.better .line .number").count()) >= 1);
  assert.ok(((await comparison.locator(".comparison-why").textContent()) ?? "").length > 10);
  assert.match((await comparison.locator("h2").textContent()) ?? "", /loses [\d.]+ points? \(±[\d.]+\)/);
  await picture(page, "teaching-compare");
  await accessible(page, "a comparison");
  // The better continuation becomes a variation.
  await page.getByRole("button", { name: "Add as a variation" }).click();
  await page.locator(".comparison").waitFor({ state: "hidden" });
  await page.locator(".surface .board").waitFor();
  assert.match(page.url(), /#\/game\/\w+\/\d+$/);
  content(page);
});

test("a mistake is heard, opened and left again by keys alone", async () => {
  const page = await visit(browser);
  await review(page);
  const row = page.locator(".worst-move").first();
  const [, number, move] = /(\d+)\. \w+ ([A-T]\d+)/.exec((await row.textContent()) ?? "") ?? [];
  await row.focus();
  await page.keyboard.press("Enter");
  await page.locator(".comparison").waitFor();
  assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", new RegExp(`^${number}\\. `));
  await page.keyboard.press("Escape");
  await page.locator(".comparison").waitFor({ state: "hidden" });
  assert.equal(await row.evaluate((one) => one === document.activeElement), true, "the focus is where it was");
  // The position before it is looked at; the next one is the mistake.
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    (wanted) => new RegExp(wanted).test(document.querySelector('.spoken[role="status"]')?.textContent ?? ""),
    `${number}\\. \\w+ ${move}\\. loses [\\d.]+ points? \\(±`,
  );
  content(page);
});

test("a mistake becomes an exercise with refutation, hint and solution, and comes back", async () => {
  const page = await visit(browser);
  await review(page);
  await page.locator(".worst-move").first().click();
  await page.getByRole("button", { name: "Your turn" }).click();
  const trainer = page.locator(".trainer");
  await trainer.waitFor();
  const told = trainer.locator(".trainer-text");
  // The move of the game is refuted at once.
  const [, played] = /In the game: (\w+)/.exec((await told.textContent()) ?? "") ?? [];
  await trainer.locator(`.point[data-point="${played}"]`).click();
  await page.waitForFunction(() => document.querySelector(".trainer-text")?.textContent?.startsWith("Not "));
  await picture(page, "teaching-refuted");
  await trainer.getByRole("button", { name: "Hint" }).click();
  await accessible(page, "an exercise");
  await trainer.getByRole("button", { name: "Solution" }).click();
  await page.waitForFunction(() => / is best/.test(document.querySelector(".trainer-text")?.textContent ?? ""));
  await trainer.locator(".line .number").first().waitFor();
  await picture(page, "teaching-solution");
  const [, best] = /(\w+) is best/.exec((await told.textContent()) ?? "") ?? [];
  await trainer.getByRole("button", { name: "Leave" }).click();
  await page.locator(".surface .board").waitFor();
  // It is in the list, and the right move solves it.
  await page.goto(`${server.address}#/exercises`);
  await page.locator(".exercise-list li").first().waitFor();
  assert.equal(await page.locator(".exercise-list li").count(), 1);
  await picture(page, "teaching-exercises");
  await accessible(page, "the list of exercises");
  await page.locator(".exercise-list").getByRole("button", { name: "Your turn" }).click();
  await page.locator(`.trainer .point[data-point="${best}"]`).click();
  await page.waitForFunction(() => document.querySelector(".trainer-text")?.textContent?.startsWith("Right"));
  await page.getByRole("button", { name: "Leave" }).click();
  await page.locator(".exercise-list li").first().waitFor();
  const later = await page.locator(".exercise-list li").first().textContent();
  assert.match(later ?? "", /comes back (tomorrow|in 24 hours|in 1 day)/);
  assert.match((await page.locator(".site-nav").textContent()) ?? "", /Exercises/);
  await page.getByRole("button", { name: "Remove the exercise" }).click();
  await page.getByText("Mistakes that you want to do better appear here").waitFor();
  content(page);
});

test("any other move is judged by the engine", async () => {
  const page = await visit(browser);
  await review(page);
  await page.locator(".worst-move").first().click();
  await page.getByRole("button", { name: "Your turn" }).click();
  await page.locator(".trainer").waitFor();
  const tried = await page.evaluate(() => {
    const label = (/** @type {Element} */ cell) => cell.getAttribute("aria-label") ?? "";
    const cells = [...document.querySelectorAll(".trainer .point")];
    const corner = cells.filter((cell) => /^[AJ][19],/.test(label(cell)) && /empty/.test(label(cell)));
    return corner[0]?.getAttribute("data-point");
  });
  await page.locator(`.trainer .point[data-point="${tried}"]`).click();
  await page.waitForFunction(() => /^(Not|Right)/.test(document.querySelector(".trainer-text")?.textContent ?? ""));
  content(page);
});

test("the summary tells both sides apart and leads to exercises", async () => {
  const page = await visit(browser);
  await review(page);
  await page.getByRole("tab", { name: "Summary" }).click();
  const table = page.locator(".summary-table");
  await table.waitFor();
  assert.deepEqual(await table.locator("thead th").allTextContents(), ["Black", "White"]);
  assert.match((await table.locator("tbody tr").first().textContent()) ?? "", /Accuracy\d+%\d+%/);
  assert.ok((await page.locator(".summary-focus").count()) >= 1);
  await picture(page, "teaching-summary");
  await accessible(page, "a summary");
  await page.getByRole("button", { name: /Do \d+ mistakes? better/ }).first().click();
  await page.locator(".trainer").waitFor();
  content(page);
});

test("the graph has points or chances, dots for mistakes and a preview of positions", async () => {
  const page = await visit(browser);
  await review(page);
  assert.equal(((await page.locator(".graph-lead").getAttribute("d")) ?? "").match(/[ML]/g)?.length, 17);
  assert.ok((await page.locator(".graph-scale span").count()) >= 3);
  assert.ok((await page.locator(".graph-dot").count()) >= 1);
  const box = await page.locator(".graph-picture").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator(".graph-preview .board").waitFor();
  assert.match((await page.locator(".graph-preview-text").textContent()) ?? "", /move 8/i);
  await picture(page, "teaching-preview");
  await page.mouse.move(5, 5);
  await page.locator(".graph-preview").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Chances" }).click();
  await page.locator(".graph-winrate").waitFor();
  await page.getByRole("button", { name: "Chances" }).click();
  // Whose the points will be, at every position without another search.
  await page.getByRole("button", { name: "Territory", exact: true }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("PageDown");
  await page.locator(".owned").first().waitFor();
  assert.equal(await page.locator(".candidate").count(), 0, "nothing is analysed");
  // The move of the game is marked with what it lost.
  await page.locator(".next-move").waitFor();
  await picture(page, "teaching-territory");
  content(page);
});

test("a game runs by itself to its end", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;SZ[9];B[ee];W[de];B[ed])");
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Run" }).click();
  await named(page, "E6", /black, last move/);
  await page.waitForFunction(
    () => [...document.querySelectorAll("button")].find((one) => one.ariaLabel === "Run")?.ariaPressed === "false",
  );
  content(page);
});

test("what was found is saved in the record and read back", async () => {
  const page = await visit(browser);
  await review(page);
  const worst = await page.locator(".worst-move").allTextContents();
  await page.getByRole("tab", { name: "File" }).click();
  /** @param {string} kind */
  const saved = async (kind) => {
    const arriving = page.waitForEvent("download");
    await page.locator(`[data-save="${kind}"]`).click();
    const download = await arriving;
    assert.match(download.suggestedFilename(), /\.sgf$/);
    return readFileSync(await download.path(), "utf8");
  };
  const commented = await saved("comments.sgf");
  assert.match(commented, /C\[[^\]]*loses [\d.]+ ± [\d.]+ points\. Better:/);
  const plain = await saved("sgf");
  assert.match(plain, /TGA\[/);
  assert.doesNotMatch(plain, /C\[/);
  await paste(page, server.address, plain);
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.locator(".worst-move").first().waitFor();
  assert.deepEqual(await page.locator(".worst-move").allTextContents(), worst);
  content(page);
});

test("a phone and the dark show all of it", async () => {
  const page = await visit(browser, { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
  await review(page);
  await picture(page, "teaching-phone-list");
  // The list is far below the board on a phone: what a click on it shows is brought into sight.
  await page.locator(".worst-move").first().scrollIntoViewIfNeeded();
  await page.locator(".worst-move").first().click();
  await page.locator(".comparison").waitFor();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".comparison h2").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await picture(page, "teaching-phone-compare");
  await accessible(page, "a comparison on a phone in the dark");
  await page.getByRole("button", { name: "Your turn" }).click();
  await page.locator(".trainer").waitFor();
  await picture(page, "teaching-phone-exercise");
  await page.locator('.trainer .point[data-point="A1"]').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  content(page);
});
