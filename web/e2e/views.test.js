// Every view, in light and dark, in every language, with axe as the judge.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, begin, browser, content, named, paste, picture, point, raise, server, visit } from "./stage.js";

raise();

const LESSONS = {
  goal: ["D4"],
  capture: ["E5"],
  atari: ["F4"],
  suicide: ["A5"],
  ko: ["D4", "C4"],
  superko: ["C1", "A1", "B1"],
  score: ["pass", "pass"],
  dead: ["pass", "pass", "accept"],
  handicap: ["E5"],
};

for (const [lesson, steps] of Object.entries(LESSONS)) {
  test(`the lesson about ${lesson} can be done as it says`, async () => {
    const page = await visit(browser);
    await page.goto(`${server.address}#/learn/${lesson}`);
    await page.locator(".lesson .board").waitFor();
    for (const step of steps) {
      if (step === "pass") {
        const before = await page.locator(".lesson-text .status").textContent();
        await page.getByRole("button", { name: "Pass" }).click();
        await page.waitForFunction(
          (text) => document.querySelector(".lesson-text .status")?.textContent !== text,
          before,
        );
      } else if (step === "accept") {
        await named(page, "B6", /dead/);
        await named(page, "F5", /dead/);
        await page.getByRole("button", { name: "Accept the score" }).click();
      } else {
        await point(page, step).click();
        if (step !== steps[steps.length - 1]) await named(page, step, /last move/);
      }
    }
    await page.locator(".feedback.on").waitFor();
    if (lesson === "score") {
      await page.locator(".score").waitFor();
      await named(page, "A1", /Black’s territory/);
      await named(page, "G1", /White’s territory/);
    }
    await picture(page, `lesson-${lesson}`);
    await accessible(page, lesson);
    content(page);
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`every view is accessible in ${colorScheme} colours`, async () => {
    const page = await visit(browser, { colorScheme });
    await page.goto(server.address);
    await page.locator(".new-game").waitFor();
    await page.getByText("Rules, komi, handicap, time").click();
    await accessible(page, "home");
    await picture(page, `home-${colorScheme}`);
    await page.getByRole("button", { name: "Settings" }).click();
    await accessible(page, "settings");
    await picture(page, `settings-${colorScheme}`);
    await page.getByRole("button", { name: "Close" }).click();
    await begin(page, server.address, { against: "A friend here", size: "Other", width: 13, height: 7 });
    for (const move of ["D4", "K4", "G5"]) {
      await point(page, move).click();
      await named(page, move, /last move/);
    }
    await accessible(page, "a game");
    await picture(page, `rectangle-${colorScheme}`);
    await page.locator('[data-do="resign"]').click();
    await accessible(page, "a question");
    await page.getByRole("button", { name: "Cancel" }).click();
    await paste(
      page,
      server.address,
      "(;GM[1]FF[4]SZ[19]PB[Ada]PW[Bo]RE[B+R];B[pd]TR[pd]LB[dd:A];W[dp];B[pq];W[dd];B[fq])",
    );
    for (const tab of ["Analysis", "Edit", "File"]) {
      await page.getByRole("tab", { name: tab }).click();
      await accessible(page, `review, ${tab}`);
    }
    await picture(page, `review-${colorScheme}`);
    await page.goto(`${server.address}#/open`);
    await page.locator(".drop").waitFor();
    await accessible(page, "open");
    await picture(page, `open-${colorScheme}`);
    await page.goto(`${server.address}#/game/nothing`);
    await page.getByRole("heading", { name: "This game is not here" }).waitFor();
    await accessible(page, "a game that is not there");
    content(page);
  });
}

for (const [locale, word] of /** @type {[string, string][]} */ ([
  ["zh-CN", "新对局"],
  ["ja-JP", "新しい対局"],
  ["ko-KR", "새 대국"],
])) {
  test(`the page speaks ${locale}`, async () => {
    const page = await visit(browser, { locale });
    await page.goto(server.address);
    await page.getByRole("heading", { name: word }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), locale.slice(0, 2));
    await picture(page, `home-${locale.slice(0, 2)}`);
    await accessible(page, `home in ${locale}`);
    await page.goto(`${server.address}#/learn/ko`);
    await page.locator(".lesson .board").waitFor();
    await picture(page, `learn-${locale.slice(0, 2)}`);
    await accessible(page, `a lesson in ${locale}`);
    content(page);
  });
}

/** Windows in which everything must be reached without scrolling sideways. */
const WINDOWS = { narrow: [320, 640], phone: [390, 844], aside: [844, 390], desk: [1280, 800], wide: [1440, 900] };

for (const [name, [width, height]] of Object.entries(WINDOWS)) {
  test(`nothing is cut off on a ${name} window`, async () => {
    const page = await visit(browser, { viewport: { width, height }, isMobile: width < 900, hasTouch: width < 900 });
    await paste(page, server.address, "(;GM[1]FF[4]SZ[19]PB[Ada Lovelace]PW[Bo]RE[B+R];B[pd];W[dp];B[pq];W[dd])");
    await page.getByRole("button", { name: "Analyse the whole game" }).click();
    await page.getByRole("button", { name: "Look deeper" }).waitFor();
    const review = new URL(page.url()).hash;
    for (const view of ["#/", "#/open", "#/learn/dead", "#/problems", "#/problems/own/3", review]) {
      await page.goto(`${server.address}${view}`);
      await page.locator(view === "#/" || view === "#/open" ? ".game-title" : "main h1").first().waitFor();
      // What is wider than its window is scrolled to inside it, as the tree is, or is there for screen readers alone.
      const beyond = await page.evaluate(() => [
        ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
        ...[...document.querySelectorAll("main *")]
          .filter((one) => !one.closest("svg, .tree, .spoken, .field label, [role=tablist]"))
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => `${one.tagName}.${one.className}`),
        ...[...document.querySelectorAll(".tab-body, .worst-move")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          .map((one) => `inside ${one.className}`),
      ]);
      assert.deepEqual(beyond, [], `${view} on ${width}×${height}`);
    }
    await picture(page, `review-${name}`);
    if (name === "aside") {
      await page.goto(`${server.address}#/learn/dead`);
      await page.locator(".lesson .board").waitFor();
      const [board, text] = await page.evaluate(() =>
        [".lesson .board", ".task"].map((one) => document.querySelector(one)?.getBoundingClientRect().toJSON()),
      );
      assert.ok(board.right <= text.left && text.bottom <= height, "the task stands beside the board");
      await picture(page, "lesson-aside");
    }
    content(page);
  });
}

test("the language can be changed, and stays", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("ja");
  await page.getByRole("heading", { name: "新しい対局" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "新しい対局" }).waitFor();
  content(page);
});

test("the page is small", async (t) => {
  const page = await visit(browser);
  let bytes = 0;
  page.on("response", async (response) => {
    // Pictures of games are no part of the page.
    if (new URL(response.url()).pathname.startsWith("/games/")) return;
    const sizes = await response.request().sizes().catch(() => null);
    bytes += sizes?.responseBodySize ?? 0;
  });
  await page.goto(server.address);
  await page.locator(".new-game").waitFor();
  await page.goto(`${server.address}#/learn/ko`);
  await page.locator(".lesson .board").waitFor();
  await page.waitForLoadState("networkidle");
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  t.diagnostic(`${bytes} bytes were sent, first contentful paint after ${Math.round(paint)} ms`);
  assert.ok(bytes > 0 && bytes < 400_000, `${bytes} bytes`);
  content(page);
});
