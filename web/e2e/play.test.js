// Games played in a real browser against the real program.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Wire, accessible, begin, browser, choose, content, named, open, paste, picture, point, raise, server, stones, turn,
  visit,
} from "./stage.js";

raise();

/** Points in an order in which a quiet player might take them: none of them needs a second look. */
const PLAN = ["E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5", "D4", "F6", "D6", "F4", "B4", "H6", "D2", "F8"];

/**
 * Waits until the game stands elsewhere than before.
 * @param {string | null} before what the walker said
 */
function moved(page, before) {
  return page.waitForFunction((text) => document.querySelector(".walker-place")?.textContent !== text, before);
}

/** Waits until the engine has said which stones are dead, and the count can be accepted. */
function settled(page) {
  return page.locator('[data-do="accept"][aria-disabled="false"]').waitFor();
}

/** The score of a finished game, as numbers: total of Black, total of White. */
async function totals(page) {
  const cells = await page.locator(".score tfoot tr:first-child td").allTextContents();
  return cells.map(Number);
}

/** A score whose parts add up to its totals. */
async function addsUp(page) {
  const rows = await page
    .locator(".score tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent))));
  const sums = [0, 1].map((side) => rows.reduce((sum, row) => sum + row[side], 0));
  assert.deepEqual(sums, await totals(page));
}

test("a whole game against the engine by clicks, to the score and into the review", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1 });
  let played = 0;
  let pictured = false;
  while ((await turn(page)) === "turn") {
    const free = new Set(await open(page));
    const next = PLAN.find((name) => free.has(name));
    const before = await page.locator(".walker-place").textContent();
    if (next && played < 16) {
      await point(page, next).click();
      played += 1;
    } else {
      if (!pictured) await picture(page, "play-clicks");
      pictured = true;
      await page.locator('[data-do="pass"]').click();
    }
    await moved(page, before);
  }
  assert.ok(played >= 8, `only ${played} moves were possible`);
  await settled(page);
  await addsUp(page);
  await picture(page, "play-marking");
  await page.getByRole("button", { name: "Accept the score" }).click();
  const review = page.getByRole("button", { name: "Review this game" });
  await review.waitFor();
  await addsUp(page);
  assert.match((await page.locator(".status").textContent()) ?? "", /wins by|Draw/);
  await picture(page, "play-finished");
  await review.click();
  await page.locator(".review .graph-picture").waitFor();
  content(page);
});

test("a whole game by keyboard, heard and not seen", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  // The form is reached and filled in without a mouse, too.
  await page.getByLabel("Strength").focus();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Start", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".play .board").waitFor();
  await turn(page);
  // What a screen reader is told.
  await page.evaluate(() => {
    globalThis.told = [];
    const region = document.querySelector('.spoken[role="status"]');
    new MutationObserver(() => globalThis.told.push(region?.textContent ?? "")).observe(region, { childList: true });
  });
  for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement?.classList.contains("point"))); i += 1)
    await page.keyboard.press("Tab");
  const here = () => page.evaluate(() => document.activeElement?.getAttribute("data-point") ?? "");
  assert.equal(await here(), "E5");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  assert.equal(await here(), "D4");
  await page.keyboard.press("Home");
  assert.equal(await here(), "A4");
  await page.keyboard.press("End");
  assert.equal(await here(), "J4");

  /** @param {string} name */
  const walk = async (name) => {
    const columns = "ABCDEFGHJ";
    for (let i = 0; i < 40; i += 1) {
      const at = await here();
      const across = columns.indexOf(name[0]) - columns.indexOf(at[0]);
      const up = Number(name[1]) - Number(at[1]);
      if (across === 0 && up === 0) return;
      await page.keyboard.press(
        across > 0 ? "ArrowRight" : across < 0 ? "ArrowLeft" : up > 0 ? "ArrowUp" : "ArrowDown",
      );
    }
    assert.fail(`${name} was not reached`);
  };

  let played = 0;
  while ((await turn(page)) === "turn") {
    const free = new Set(await open(page));
    const next = PLAN.find((name) => free.has(name));
    const before = await page.locator(".walker-place").textContent();
    if (next && played < 8) {
      await walk(next);
      await page.keyboard.press("Enter");
      played += 1;
    } else await page.keyboard.press("p");
    await moved(page, before);
    // The board keeps the focus from move to move.
    if (played === 3) {
      assert.match(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""),
        /^[A-J][1-9], /,
      );
      await picture(page, "play-keyboard");
    }
  }
  assert.ok(played >= 6);
  // Words wait a moment for those that belong to them.
  await page.waitForFunction(() => /You pass\./.test(globalThis.told.join("|")));
  const told = await page.evaluate(() => globalThis.told.join("|"));
  assert.match(told, /You: [A-J][1-9]\./);
  assert.match(told, /White [A-J][1-9]\./);
  await settled(page);
  await page.getByRole("button", { name: "Accept the score" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  content(page);
});

test("an illegal move is explained: ko between two people, suicide in a lesson", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { against: "A friend here", size: "Other", width: 5, height: 5 });
  for (const move of ["B3", "E3", "C2", "D2", "C4", "D4", "A1", "C3", "D3"]) {
    await point(page, move).click();
    await named(page, move, /last move/);
  }
  await named(page, "C3", /^C3, empty, ko, not playable$/);
  await point(page, "C3").click();
  const bubble = page.locator(".bubble");
  await bubble.waitFor();
  assert.match((await bubble.textContent()) ?? "", /C3.*Ko/);
  await picture(page, "illegal-ko");
  await accessible(page, "a refused move");
  // The message goes away with the next move, and by itself.
  await point(page, "A5").click();
  await named(page, "A5", /last move/);
  assert.equal(await bubble.isVisible(), false);
  await point(page, "A5").click();
  await bubble.waitFor();
  assert.match((await bubble.textContent()) ?? "", /There is a stone already/);
  await bubble.waitFor({ state: "hidden" });

  await page.goto(`${server.address}#/learn/suicide`);
  await page.locator(".lesson .board").waitFor();
  await point(page, "A5").click();
  assert.match((await page.locator(".bubble").textContent()) ?? "", /Suicide/);
  await page.locator(".feedback.on").waitFor();
  await picture(page, "illegal-suicide");
  content(page);
});

test("superko names the earlier position and leads there", async () => {
  const page = await visit(browser);
  await paste(
    page,
    server.address,
    "(;GM[1]FF[4]SZ[5]RU[Chinese]KM[0]PL[W]AW[ba][ab][bb][ac][bc][ad][be]AB[ca][cb][eb][cc][dc][bd][cd][dd][de])",
  );
  for (const move of ["C1", "A1"]) {
    await point(page, move).click();
    await named(page, move, /last move/);
  }
  await point(page, "B1").click();
  assert.match((await page.locator(".bubble").textContent()) ?? "", /Superko.*at the start/);
  await picture(page, "illegal-superko");
  await page.getByRole("button", { name: "Show that position" }).click();
  await named(page, "B1", /white/);
  assert.match(page.url(), /\/0$/);
  assert.equal(await page.locator(".highlight").count(), 1);
  content(page);
});

test("undo takes back the engine's move and one's own", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1 });
  await point(page, "E5").click();
  await named(page, "E5", /black/);
  await turn(page);
  assert.equal(await stones(page), 2);
  await page.locator('[data-do="undo"]').click();
  await named(page, "E5", /empty/);
  await page.waitForFunction(() =>
    /Taken back\. Your turn$/.test(document.querySelector('.spoken[role="status"]')?.textContent ?? ""),
  );
  await turn(page);
  assert.equal(await stones(page), 0);
  await picture(page, "undo");
  content(page);
});

test("a reload in mid-game comes back to the place, an earlier position included", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1 });
  for (const move of ["E5", "C3"]) {
    await turn(page);
    if (!(await open(page)).includes(move)) continue;
    await point(page, move).click();
    await named(page, move, /black/);
  }
  await turn(page);
  const before = await page.locator(".point").evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label")));
  const address = page.url();
  await page.reload();
  await page.locator(".board").waitFor();
  await turn(page);
  assert.equal(page.url(), address);
  assert.deepEqual(
    await page.locator(".point").evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label"))),
    before,
  );

  await page.keyboard.press("ArrowLeft");
  await page.locator(".look-back").waitFor();
  const back = page.url();
  assert.notEqual(back, address);
  await page.reload();
  await page.locator(".look-back").waitFor();
  assert.equal(page.url(), back);
  await picture(page, "reload");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await turn(page);
  assert.equal(page.url(), address);
  content(page);
});

test("dead stones are proposed, corrected by clicks, and counted in all their parts", async () => {
  const page = await visit(browser);
  // White's stone at B6 and Black's at F5 are dead.
  await paste(
    page,
    server.address,
    "(;GM[1]FF[4]SZ[7]RU[Japanese]KM[0.5]AB[ca][cb][cc][ad][bd][cd][ce][de][bf][df][dg][fc]" +
      "AW[bb][da][db][dc][dd][ed][ee][ef][ff][gf][eg])",
  );
  await page.getByRole("tab", { name: "File" }).click();
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.locator('[data-do="pass"]').click();
  await named(page, "A1", /empty/);
  await turn(page);
  await page.locator('[data-do="pass"]').click();
  await settled(page);
  await named(page, "B6", /dead/);
  await named(page, "F5", /dead/);
  await addsUp(page);
  // Territory is drawn while it is marked, dead stones included, and a sentence says how it is counted.
  await named(page, "A7", /Black’s territory/);
  await named(page, "B6", /Black’s territory/);
  assert.ok((await page.locator(".territory").count()) > 8);
  const sentence = (await page.locator(".count-text").textContent()) ?? "";
  assert.match(sentence, /every prisoner is a point\. Black: \d+ \+ \d+ = \d+\./);
  const proposed = await totals(page);
  await point(page, "B6").click();
  await page.waitForFunction(
    () => !document.querySelector('.point[data-point="B6"]')?.getAttribute("aria-label")?.includes("dead"),
  );
  assert.notDeepEqual(await totals(page), proposed);
  await point(page, "B6").click();
  await named(page, "B6", /dead/);
  assert.deepEqual(await totals(page), proposed);
  await picture(page, "dead-stones");
  await accessible(page, "marking dead stones");
  await page.getByRole("button", { name: "Accept the score" }).click();
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  await addsUp(page);
  await picture(page, "score");
  await accessible(page, "a finished game");
  content(page);
});

test("hints and estimates are shown on the board, handicap and clocks beside it", async () => {
  const page = await visit(browser);
  await begin(page, server.address, {
    against: "A friend here",
    size: "13×13",
    rules: "japanese",
    handicap: "4",
    clock: "normal",
  });
  assert.equal(await stones(page), 4);
  await page.locator(".clock.running").waitFor();
  // What comes after the main time is there from the start.
  assert.deepEqual(await page.locator(".clock-extra").allTextContents(), ["then 5 × 30 s", "then 5 × 30 s"]);
  await page.locator('[data-do="hint"]').click();
  await page.locator(".candidate").waitFor();
  await page.locator('[data-do="estimate"]').click();
  await page.locator(".owned").first().waitFor();
  await picture(page, "estimate");
  await accessible(page, "an estimate");
  content(page);
});

test("two engines play a battle that can be paused", async () => {
  const page = await visit(browser);
  // A board on which nothing is over before somebody looks.
  await begin(page, server.address, { against: "Battle", size: "13×13" });
  await page.waitForFunction(() => document.querySelectorAll(".stones .stone").length >= 3);
  // A bar says who is ahead, and the pace can be changed.
  await page.waitForFunction(() =>
    /(Black|White) wins \d+%/.test(document.querySelector(".evaluation-text")?.textContent ?? ""),
  );
  await accessible(page, "a battle");
  await page.locator('[data-do="pause"]').click();
  await page.locator('[data-do="resume"]').waitFor();
  const before = await page.locator(".walker-place").textContent();
  // The engines have time for something else, which moves of a game would go before.
  await page.locator('[data-do="estimate"]').click();
  await page.locator(".owned").first().waitFor();
  assert.equal(await page.locator(".walker-place").textContent(), before);
  await page.locator('[data-do="estimate"]').click();
  await page.waitForFunction(() => document.querySelectorAll(".owned").length === 0);
  await picture(page, "battle");
  await page.locator('[data-do="resume"]').click();
  await moved(page, before);
  // Fast players are soon through with the game.
  await choose(page, "Fast");
  await page.waitForFunction(() => document.querySelectorAll(".stones .stone").length >= 20);
  content(page);
});

test("the board as text takes typed moves", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { against: "A friend here", size: "Other", width: 5, height: 3 });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Board as text").check();
  await page.getByRole("button", { name: "Close" }).click();
  const type = async (/** @type {string} */ word) => {
    await page.getByLabel("Your move").fill(word);
    await page.keyboard.press("Enter");
  };
  await type("c2");
  await page.waitForFunction(() => document.querySelector(".board-text")?.textContent?.includes("(X)"));
  await type("d2");
  await page.waitForFunction(() => document.querySelector(".board-text")?.textContent?.includes("(O)"));
  await type("nonsense");
  await page.getByText("neither a point nor a command").waitFor();
  await picture(page, "text-mode");
  await accessible(page, "text mode");
  await type("undo");
  await page.waitForFunction(() => document.querySelector(".board-text")?.textContent?.includes("(X)"));
  content(page);
});

test("a move is one call, and its stone lies there before the answer", async () => {
  const page = await visit(browser);
  const wire = await Wire.tap(page);
  await begin(page, server.address, { against: "A friend here" });
  await turn(page);
  wire.sent.length = 0;
  wire.hold();
  await point(page, "E5").click();
  await named(page, "E5", /^E5, black$/);
  assert.equal(await stones(page), 1);
  await picture(page, "play-tried");
  wire.release();
  await named(page, "E5", /black, last move/);
  await turn(page);
  await point(page, "C3").click();
  await named(page, "C3", /white, last move/);
  assert.deepEqual(wire.sent, ["game.play", "game.play"]);
  content(page);
});

test("after a move of the engine only its position is asked for", async () => {
  const page = await visit(browser);
  const wire = await Wire.tap(page);
  await begin(page, server.address, { level: 1 });
  await turn(page);
  wire.sent.length = 0;
  await point(page, "E5").click();
  await page.waitForFunction(() => document.querySelectorAll(".stones .stone").length === 2);
  await turn(page);
  assert.deepEqual(wire.sent, ["game.play", "game.view"]);
  content(page);
});

test("a move that is refused is taken back with the reason", async () => {
  const page = await visit(browser);
  const wire = await Wire.tap(page);
  await begin(page, server.address, { against: "A friend here" });
  await turn(page);
  const data = { point: "E5", reason: "superko", node: 0, number: 0 };
  wire.refusal = { method: "game.play", error: { code: "illegal_move", message: "Black may not play E5", data } };
  wire.hold();
  await point(page, "E5").click();
  await named(page, "E5", /^E5, black$/);
  wire.release();
  await named(page, "E5", /^E5, empty/);
  assert.equal(await stones(page), 0);
  assert.match((await page.locator(".bubble").textContent()) ?? "", /E5.*Superko/);
  await picture(page, "play-refused");
  // The next move is played as ever.
  wire.refusal = null;
  await turn(page);
  await point(page, "C3").click();
  await named(page, "C3", /black, last move/);
  content(page);
});
