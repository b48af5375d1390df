// The first view and what leads on from it: a board to begin on, first steps, results that choose an opponent.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  accessible, begin, browser, choose, content, named, paste, picture, point, raise, server, stones, turn, visit,
} from "./stage.js";

raise();

test("a click on the first board begins a game there", async () => {
  const page = await visit(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(server.address);
  await page.locator(".live-board .board").waitFor();
  await choose(page, "13×13");
  await page.locator('.live-board .point[data-point="N13"]').waitFor();
  // Everything that is needed to begin is in sight.
  const start = await page.getByRole("button", { name: "Start", exact: true }).boundingBox();
  assert.ok(start && start.y + start.height <= 800, JSON.stringify(start));
  await point(page, "K4").click();
  await page.locator(".play .board").waitFor();
  await named(page, "K4", /black/);
  assert.equal(await page.locator(".player.black .player-name").textContent(), "You");
  await turn(page);
  assert.equal(await stones(page), 2);
  // The first view now shows this game, and leads back to it.
  await page.goto(server.address);
  const link = page.locator(".live-link");
  await link.waitFor();
  assert.match((await link.getAttribute("aria-label")) ?? "", /^Go on: You – [A-Z][a-z]+, level \d/);
  await accessible(page, "home with a game");
  await picture(page, "home-going");
  await link.click();
  await named(page, "K4", /black/);
  content(page);
});

test("opponents have names and ranks, and what the ranks rest on is one click away", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.getByLabel("Strength").fill("10");
  await page.getByText("10 · Fox, about 13 kyu").waitFor();
  const why = page.getByText(/^They are estimates: nobody of known rank has played these levels yet\./);
  assert.equal(await why.isVisible(), false);
  await page.getByText("What the ranks rest on").click();
  await why.waitFor();
  await accessible(page, "what ranks rest on");
  await picture(page, "ranks");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".players").getByText("Fox, level 10").waitFor();
  content(page);
});

test("a newcomer is shown the way, and gets a first game with a teacher", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.getByRole("heading", { name: "New to Go?" }).waitFor();
  await page.getByRole("button", { name: "Play a first game" }).click();
  await page.locator(".play .teacher").waitFor();
  await turn(page);
  await point(page, "E5").click();
  // The best first move on the board loses nothing.
  await page.locator(".teacher-comment.good").waitFor();
  await accessible(page, "a teaching game");
  await picture(page, "teacher");
  content(page);
});

test("on a phone a newcomer is shown the way before anything else", async () => {
  const page = await visit(browser, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.goto(server.address);
  await page.getByRole("heading", { name: "New to Go?" }).waitFor();
  const top = async (/** @type {string} */ what) => (await page.locator(what).first().boundingBox())?.y ?? NaN;
  assert.ok((await top(".newcomer")) < (await top(".live-board .board")));
  await accessible(page, "the first view of a newcomer's phone");
  await picture(page, "newcomer-phone");
  // How a friend elsewhere is invited is told where a friend is chosen.
  await choose(page, "A friend here");
  await page.getByText("Start the app with --listen and --token", { exact: false }).waitFor();
  content(page);
});

test("the teacher warns before a blunder, and lets it be played all the same", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1, teaching: true });
  await turn(page);
  await point(page, "E5").click();
  await page.locator(".teacher-comment").waitFor();
  await turn(page);
  const before = await stones(page);
  // A stone in the corner is worth nothing now.
  await point(page, "A1").click();
  await page.locator(".teacher-warning").waitFor();
  assert.match((await page.locator(".teacher-warning").textContent()) ?? "", /A1 loses about \d+ points?/);
  await accessible(page, "a warning");
  await picture(page, "teacher-warning");
  await page.getByRole("button", { name: "Think again" }).click();
  await turn(page);
  assert.equal(await stones(page), before);
  await point(page, "A1").click();
  await page.getByRole("button", { name: "Play it anyway" }).click();
  await named(page, "A1", /black/);
  await page.locator(".teacher-comment.blunder").waitFor();
  await turn(page);
  await page.getByRole("button", { name: "Take it back" }).click();
  await named(page, "A1", /empty/);
  content(page);
});

test("an opponent who adapts follows the results, and a handicap is suggested", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.evaluate(() => {
    const lost = { size: 9, level: 4, handicap: 0, won: false };
    localStorage.setItem("tengen.results", JSON.stringify({ games: [{ game: "a", ...lost }, { game: "b", ...lost }] }));
  });
  await page.reload();
  await page.getByLabel("Strength").fill("4");
  await page.getByRole("button", { name: "Take 2 stones" }).click();
  await page.getByText("Rules, komi, handicap, time").click();
  assert.equal(await page.getByLabel("Handicap").inputValue(), "2");
  await page.getByRole("checkbox", { name: /Adapts to you/ }).check();
  assert.equal(await page.getByLabel("Strength").inputValue(), "2");
  await picture(page, "home-adapts");
  // Who resigns loses, and the next opponent is weaker.
  await page.getByLabel("Handicap").selectOption("0");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".play .board").waitFor();
  await turn(page);
  await page.locator('[data-do="resign"]').click();
  await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Review this game" }).waitFor();
  assert.match((await page.locator(".status").textContent()) ?? "", /^You lose\. White wins by resignation$/);
  await page.goto(server.address);
  await page.getByLabel("Strength").waitFor();
  assert.equal(await page.getByLabel("Strength").inputValue(), "1");
  content(page);
});

test("a dialog does not outlive the view it was opened on", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { against: "A friend here" });
  await page.locator('[data-do="resign"]').click();
  await page.locator("dialog[open]").waitFor();
  await page.goBack();
  await page.locator(".new-game").waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  content(page);
});

test("arrows are for moves after a click on tabs and tools, and a question mark lists all keys", async () => {
  const page = await visit(browser, { viewport: { width: 1280, height: 800 } });
  const moves = Array.from({ length: 30 }, (_, i) => `;${i % 2 ? "W" : "B"}[${"abcdefghi"[i % 9]}${"abcd"[i % 4]}]`);
  await paste(page, server.address, `(;GM[1]FF[4]SZ[9]KM[7]PB[Ada]PW[Bo]${[...new Set(moves)].join("")})`);
  const place = () => page.locator(".walker-place").textContent();
  const total = Number((await place())?.split(" / ")[1]);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((n) => document.querySelector(".walker-place")?.textContent === `${n - 1} / ${n}`, total);
  assert.equal(await page.getByRole("tab", { name: "Edit" }).getAttribute("aria-selected"), "true");
  await page.getByRole("radio", { name: "Triangle" }).click({ force: true });
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((n) => document.querySelector(".walker-place")?.textContent === `${n - 2} / ${n}`, total);
  assert.equal(await page.getByRole("radio", { name: "Triangle" }).isChecked(), true);
  // In a text the arrows are for the text.
  await page.getByLabel("Comment").fill("ab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("?");
  assert.equal(await page.getByLabel("Comment").inputValue(), "a?b");
  assert.match((await place()) ?? "", new RegExp(`^${total - 2} `));
  // The tree shows where one is, from the start on.
  const current = await page.locator(".tree .node.current").boundingBox();
  const tree = await page.locator(".tree").boundingBox();
  assert.ok(current && tree && current.x > tree.x && current.x + current.width < tree.x + tree.width);
  await page.locator(".review-subtitle").click();
  await page.keyboard.press("?");
  await page.locator("dialog kbd").first().waitFor();
  await accessible(page, "the list of keys");
  await picture(page, "keys");
  await page.keyboard.press("Escape");
  content(page);
});

for (const [name, viewport, least] of /** @type {const} */ ([
  ["a desk", { width: 1280, height: 800 }, 600],
  ["a large desk", { width: 1440, height: 900 }, 640],
  ["a phone on its side", { width: 844, height: 390 }, 320],
  ["a phone", { width: 390, height: 844 }, 360],
])) {
  test(`a review on ${name} has a large board, and its tree and comment in sight`, async () => {
    const page = await visit(browser, { viewport });
    await paste(page, server.address, "(;GM[1]FF[4]SZ[19]PB[Ada]PW[Bo];B[pd];W[dp];B[pq];W[dd];B[fq])");
    const box = async (/** @type {string} */ what) => {
      const found = await page.locator(what).first().boundingBox();
      assert.ok(found, what);
      return found;
    };
    const board = await box(".review .board");
    assert.ok(board.width >= least, `${board.width}`);
    assert.ok(board.y + board.height <= viewport.height, "the whole board is in sight");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    if (viewport.width >= 1280) {
      for (const what of [".tree", ".comment", ".walker", ".switches", ".graph-picture", ".tabs"]) {
        const { y, height } = await box(what);
        assert.ok(y + height <= viewport.height, `${what} is above the fold`);
      }
    } else if (viewport.width > viewport.height) {
      const panel = await box(".review .panel");
      assert.ok(panel.x >= board.x + board.width, "board and panel stand side by side");
    }
    await picture(page, `layout-${viewport.width}`);
    content(page);
  });
}
