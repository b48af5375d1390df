// Records opened, walked through, analysed and edited in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessible, browser, content, named, paste, picture, point, raise, said, server, visit } from "./stage.js";

raise();

const BRANCHED =
  "(;GM[1]FF[4]SZ[9]KM[7]PB[Ada]PW[Bo]C[The start];B[ee]C[The middle];W[ce]" +
  "(;B[cc];W[gc])(;B[gg]C[Another way](;W[gc])(;W[cg])))";

/** Some moves of a game on 9×9, one of them, Black's in the corner, plainly bad. */
const GAME = "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]PB[Ada]PW[Bo];B[ee];W[gc];B[cg];W[cc];B[aa];W[eg];B[fg];W[ef])";

/** @param {import("playwright-core").Page} page */
const place = (page) => page.locator(".walker-place").textContent();

/**
 * Waits until the walker stands there.
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
const arrive = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector(".walker-place")?.textContent === wanted, text);

test("a file in GBK is dropped on the page and read", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/open`);
  await page.locator(".drop").waitFor();
  // 黑棋 and 白棋 in GBK, in a file that says nothing about its encoding.
  const bytes = Buffer.concat([
    Buffer.from("(;GM[1]FF[4]SZ[19]KM[6.5]PB["),
    Buffer.from([0xba, 0xda, 0xc6, 0xe5]),
    Buffer.from("]PW["),
    Buffer.from([0xb0, 0xd7, 0xc6, 0xe5]),
    Buffer.from("];B[pd];W[dp];B[pq];W[dd])"),
  ]);
  await page.evaluate((numbers) => {
    const file = new File([new Uint8Array(numbers)], "game.sgf");
    const data = new DataTransfer();
    data.items.add(file);
    for (const type of ["dragenter", "dragover", "drop"])
      document
        .querySelector("main")
        .dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [...bytes]);
  await page.locator(".review .board").waitFor();
  assert.deepEqual(await page.locator(".player-name").allTextContents(), ["黑棋", "白棋"]);
  await page.keyboard.press("End");
  await named(page, "D16", /white, last move/);
  await picture(page, "gbk");
  await page.getByRole("tab", { name: "File" }).click();
  await picture(page, "gbk-file");
  content(page);
});

test("variations are walked through by keys, by the tree and by buttons", async () => {
  const page = await visit(browser);
  await paste(page, server.address, BRANCHED);
  await page.keyboard.press("Home");
  await arrive(page, "0 / 4");
  assert.equal(await page.getByLabel("Comment").inputValue(), "The start");
  await page.keyboard.press("ArrowRight");
  await arrive(page, "1 / 4");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await named(page, "C7", /black, last move/);
  await page.keyboard.press("ArrowDown");
  await named(page, "G3", /black, last move/);
  assert.equal(await page.getByLabel("Comment").inputValue(), "Another way");
  await page.keyboard.press("End");
  await arrive(page, "4 / 4");
  await page.keyboard.press("PageUp");
  await arrive(page, "0 / 4");
  await page.keyboard.press("PageDown");
  await named(page, "G7", /white, last move/);
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "C3", exact: true }).click();
  await named(page, "C3", /white, last move/);
  // A new move becomes a variation; the address knows the place.
  await point(page, "J9").click();
  await named(page, "J9", /black, last move/);
  const address = page.url();
  await page.reload();
  await named(page, "J9", /black, last move/);
  assert.equal(page.url(), address);
  await picture(page, "variations");
  assert.ok((await page.locator(".tree .node").count()) >= 7);
  // The tree leads back to the first move.
  await page.locator(".tree .node").nth(1).click();
  await named(page, "E5", /black, last move/);
  content(page);
});

test("an analysis appears on the board, with its continuation and its territory", async () => {
  const page = await visit(browser);
  await paste(page, server.address, GAME);
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".candidate.best").waitFor();
  await page.locator(".suggestions tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Territory", exact: true }).click();
  await page.locator(".owned").first().waitFor();
  await picture(page, "analysis");
  await accessible(page, "an analysis");
  await page.getByRole("button", { name: "Territory", exact: true }).click();
  // The continuation shows while the suggestion has the focus.
  await page.locator(".suggestion").first().focus();
  await page.locator(".line .number").first().waitFor();
  await picture(page, "analysis-line");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".walker-place")?.textContent?.startsWith("9"));
  content(page);
});

test("a suggestion keeps the focus while others come and go", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  const found = await page.evaluate(async () => {
    const { Suggestions } = await import(new URL("parts/suggestions.js", location.href).href);
    const suggestions = new Suggestions({ show: () => {}, play: () => {} });
    document.body.append(suggestions.root);
    const show = (/** @type {string[]} */ moves) =>
      suggestions.show(
        {
          winrate: 0.5,
          lead: 0,
          visits: 9,
          moves: moves.map((move) => ({ move, winrate: 0.5, lead: 0, lost: 0, visits: 1, pv: [move] })),
        },
        "black",
        "",
      );
    const names = () => [...document.querySelectorAll(".suggestion")].map((button) => button.textContent);
    show(["C3"]);
    /** @type {HTMLElement} */ (document.querySelector(".suggestion")).focus();
    const found = [];
    for (const moves of [["C3", "D4", "E5"], ["D4", "C3"], [], ["F6", "E5"]]) {
      show(moves);
      // What is hidden loses the focus when the page is drawn.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { activeElement } = document;
      found.push([activeElement === document.body ? "nothing" : activeElement?.textContent, names()]);
    }
    suggestions.show({ failed: "The engine is gone", done: true }, "black", "");
    found.push([suggestions.head.textContent, names()]);
    return found;
  });
  assert.deepEqual(found, [
    ["C3", ["C3", "D4", "E5"]],
    ["D4", ["D4", "C3"]],
    ["nothing", []],
    ["F6", ["F6", "E5"]],
    ["The engine is gone", []],
  ]);
  content(page);
});

test("the whole game is analysed in the background: graph and worst moves", async () => {
  const page = await visit(browser);
  await paste(page, server.address, GAME);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("button", { name: "Look deeper" }).waitFor();
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent),
    "Look deeper",
    "the focus stays where it was put",
  );
  const path = await page.locator(".graph-lead").getAttribute("d");
  assert.equal((path ?? "").match(/[ML]/g)?.length, 9, "the curve has a point for each position");
  await page.getByRole("tab", { name: "Analysis" }).click();
  const worst = page.locator(".worst-move");
  await worst.first().waitFor();
  await picture(page, "graph");
  const lost = (await page.locator(".worst-lost").allTextContents()).map(Number);
  assert.ok(lost.every((points) => points <= -1), "a list of mistakes has mistakes alone");
  assert.deepEqual(lost, [...lost].sort((a, b) => a - b), "the worst come first");
  // Which move is the worst is the engine's business; the list leads to what would have been better.
  await worst.first().click();
  await page.locator(".comparison").waitFor();
  await accessible(page, "a reviewed game");
  content(page);
});

test("a mistake that kills a group is told with proof", async () => {
  const page = await visit(browser);
  // White has three points in a row in the corner, plays on the wrong one, and Black takes the one in the middle.
  const corner = "AB[ea][eb][ac][bc][cc][dc][ec][gg][cg][ge]AW[da][ab][bb][cb][db][gc][hc][ih]PL[W]";
  await paste(page, server.address, `(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]${corner};W[aa];B[ba];W[hi];B[ff])`);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("button", { name: "Look deeper" }).waitFor();
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.locator(".worst-move").filter({ hasText: /^1\. White A9/ }).click();
  await page
    .locator(".comparison")
    .getByText("Proven: White’s 5 stones at D9 are dead now. They would have lived with B9.")
    .waitFor();
  await picture(page, "proven-mistake");
  await accessible(page, "a mistake with proof");
  content(page);
});

test("a record is edited, and saved as it was edited", async () => {
  const page = await visit(browser);
  await paste(page, server.address, BRANCHED);
  await page.keyboard.press("End");
  await arrive(page, "4 / 4");
  await page.getByLabel("Comment").fill("Well done");
  await page.getByLabel("Comment").blur();
  await page.getByRole("tab", { name: "Edit" }).click();
  for (const [tool, at, after] of [
    ["Triangle", "A1", /Triangle/],
    ["Letter", "B1", /label A/],
    ["Number", "C1", /label 1/],
    ["Black stone", "D1", /black/],
  ]) {
    await page.getByRole("radio", { name: String(tool), exact: true }).check({ force: true });
    await point(page, String(at)).click();
    await named(page, String(at), /** @type {RegExp} */ (after));
  }
  await picture(page, "edit");
  await page.getByRole("tab", { name: "File" }).click();
  for (const kind of ["sgf", "png", "svg", "gif"]) {
    const arriving = page.waitForEvent("download");
    await page.locator(`[data-save="${kind}"]`).click();
    const download = await arriving;
    const bytes = readFileSync(await download.path());
    const begins = { sgf: "(;", png: "\x89PNG", svg: "<svg", gif: "GIF89a" }[kind];
    assert.equal(bytes.subarray(0, begins.length).toString("latin1"), begins);
    if (kind === "sgf") {
      for (const part of ["C[Well done]", "C[The middle]", "B[gg]"]) assert.ok(bytes.toString().includes(part), part);
    }
  }
  assert.match((await said(page, "D1")) ?? "", /black/);
  content(page);
});
