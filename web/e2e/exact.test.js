// What is proven about small boards, in a real browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import {
  Server,
  accessible,
  begin,
  browser,
  content,
  named,
  paste,
  picture,
  point,
  raise,
  said,
  server,
  turn,
  visit,
} from "./stage.js";

raise();

/** Waits until the line about the value is this. */
const valued = (page, pattern) =>
  page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector(".exact-value")?.textContent ?? ""),
    pattern.source,
  );

test("a review of a small board shows the exact value and the result of every move", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;GM[1]FF[4]SZ[3]KM[0]RU[Chinese];B[bb])");
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  await valued(page, /^Black wins by 9 points, whatever White does\.$/);
  await named(page, "B2", /^B2, empty, Black by 9$/);
  await named(page, "A2", /^A2, empty, between Black by 3 and Black by 9: the ko rule decides$/);
  assert.match((await said(page, "C3")) ?? "", /White by 9/);
  const lines = await page.getByRole("list", { name: "Result of every move" }).getByRole("listitem").allTextContents();
  assert.equal(lines.length, 3);
  assert.match(lines[0], /^B2\s*Black by 9$/);
  await page.getByText("Confirmed by the checker").waitFor();
  assert.equal(await page.locator(".candidate.best").count(), 1);
  assert.equal(await page.getByRole("button", { name: "Go on" }).isVisible(), false);
  await picture(page, "exact");
  await accessible(page, "exact values");
  // It follows whoever walks on: after the move in the centre White has nothing.
  await page.keyboard.press("ArrowRight");
  await named(page, "B2", /black, last move/);
  await named(page, "A1", /^A1, empty, Black by 9$/);
  await page.getByText("As if the game began here").waitFor();
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  await page.locator(".exact").waitFor({ state: "hidden" });
  await named(page, "A1", /^A1, empty$/);
  content(page);
});

test("a game against the engine shows it only when asked, and the ko rule decides on two by two", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { size: "Other", width: 2, height: 2, level: 1 });
  await turn(page);
  assert.equal(await page.locator(".exact").isVisible(), false);
  assert.equal(await said(page, "A1"), "A1, empty");
  await page.locator('[data-do="exact"]').click();
  await valued(page, /^Between White by 4 and Black by 4: the ko rule decides\.$/);
  await page.getByText("Under positional superko: Black by 1.").waitFor();
  await named(page, "A1", /between White by 4 and Black by 4/);
  await picture(page, "exact-play");
  await accessible(page, "exact values in a game");
  await page.locator('[data-do="exact"]').click();
  await named(page, "A1", /^A1, empty$/);
  content(page);
});

test("what is not finished is said as far as it goes, and goes on when asked", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;GM[1]FF[4]SZ[4]KM[0]RU[Chinese])");
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  const more = page.getByRole("button", { name: "Go on" });
  await more.waitFor();
  await valued(page, /^Black by 1 or better for Black, so far\.$/);
  await named(page, "A1", /^A1, empty, White by 16$/);
  await named(page, "B2", /^B2, empty, between Black by 1 and Black by 16, so far$/);
  await page.getByText("Not everything is known yet.").waitFor();
  await picture(page, "exact-unfinished");
  await accessible(page, "exact values that are not finished");
  await more.click();
  await page.locator(".exact").getByText("Searching…").waitFor();
  // What was known is still there while it goes on.
  await valued(page, /^Black by 1 or better for Black, so far\.$/);
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  content(page);
});

/** What the walk says now. */
const told = (page, pattern) =>
  page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector(".walk .trainer-text")?.textContent ?? ""),
    pattern.source,
  );

test("the proof of a small board answers whatever is tried, and can be walked back", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;GM[1]FF[4]SZ[3]KM[0]RU[Chinese])");
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  await valued(page, /^Black wins by 9 points/);
  await page.getByRole("button", { name: "Walk the proof" }).click();
  await told(page, /^The proof plays Black B2\. Try any reply for White/);
  await page.getByText("Proven: Black by 9 or better for Black, whatever White does.").waitFor();
  await page.locator(".walk").getByText(/^The proof answers in \d+ positions, .* under every ko rule\.$/).waitFor();
  const walk = page.locator(".walk");
  const cell = (name) => walk.locator(`[data-point="${name}"], [aria-label^="${name},"]`).first();
  assert.match((await cell("B2").getAttribute("aria-label")) ?? "", /black/);
  await picture(page, "walk");
  await accessible(page, "a walk through a proof");
  // Any reply is answered, an occupied point is none.
  await cell("B2").click();
  await cell("A2").click();
  await walk.locator(".walk-line").getByText(/^1 B2 · 2 A2 · 3 \w\d$/).waitFor();
  await told(page, /^The proof plays Black \w\d\./);
  // One step back, and another reply.
  await walk.getByRole("button", { name: "One step back" }).click();
  await walk.locator(".walk-line").getByText(/^1 B2$/).waitFor();
  await told(page, /^The proof plays Black B2\./);
  await walk.getByRole("button", { name: "Pass", exact: true }).click();
  await told(page, /Both have passed: Black by 9\.$/);
  assert.equal(await walk.getByRole("button", { name: "Pass", exact: true }).count(), 0);
  await walk.getByRole("button", { name: "Leave" }).click();
  await walk.waitFor({ state: "detached" });
  // The record is as it was, and the board is back.
  await named(page, "B2", /^B2, empty, Black by 9$/);
  // Who goes elsewhere leaves the walk.
  await page.getByRole("button", { name: "Walk the proof" }).click();
  await told(page, /^The proof plays Black B2\./);
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  await walk.waitFor({ state: "detached" });
  content(page);
});

test("a long search for a proof tells how far it is, and ends when somebody leaves", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;GM[1]FF[4]SZ[4]KM[0]RU[Chinese])");
  await page.getByRole("button", { name: "Exact", exact: true }).click();
  await valued(page, /^Black by 1 or better for Black, so far\.$/);
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByRole("button", { name: "Walk the proof" }).click();
  await told(page, /^Looking for the proof: \d|^The proof is found/);
  await page.locator(".walk").getByRole("button", { name: "Leave" }).click();
  await page.locator(".walk").waitFor({ state: "detached" });
  // The next one is found.
  await page.getByRole("button", { name: "Walk the proof" }).click();
  await told(page, /^The proof plays Black [BC][23]\. Try any reply/);
  await page.getByText("Proven: Black by 1 or better for Black, whatever White does.").waitFor();
  content(page);
});

test("a certificate that the program was started with is walked at once, from wherever it has an answer", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "tengen-proof-")), "4x4.proof");
  const program = process.env.TENGEN ?? "";
  execFileSync(program, ["solve", "4x4", "--at-least", "1", "--threads", "1", "--memory", "64M", "--proof", file]);
  const proving = await Server.start(["--proof", file]);
  try {
    const page = await visit(browser);
    await paste(page, proving.address, "(;GM[1]FF[4]SZ[4]KM[0]RU[Chinese];B[bb];W[ca])");
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Exact", exact: true }).click();
    await page.getByText(/^A certificate with answers in [\d,]+ positions proves: Black by 1 or better/).waitFor();
    await valued(page, /^Black by 1 or better for Black, so far\.$/);
    await page.getByRole("button", { name: "Walk the proof" }).click();
    await told(page, /^The proof plays Black [BC][23]\. Try any reply for White/);
    const walk = page.locator(".walk");
    await walk.getByText(/^The certificate answers in [\d,]+ positions\.$/).waitFor();
    await picture(page, "walk-certificate");
    await accessible(page, "a walk through a certificate");
    await walk.getByRole("button", { name: "Pass", exact: true }).click();
    await walk.locator(".walk-line").getByText(/^1 [BC][23] · 2 .+ · 3 /).waitFor();
    await walk.getByRole("button", { name: "Leave" }).click();
    await walk.waitFor({ state: "detached" });
    content(page);
  } finally {
    await proving.stop();
    rmSync(dirname(file), { recursive: true });
  }
});

test("large boards offer none of it", async () => {
  const page = await visit(browser);
  await paste(page, server.address, "(;GM[1]FF[4]SZ[9];B[ee])");
  await point(page, "E5").waitFor();
  assert.equal(await page.getByRole("button", { name: "Exact", exact: true }).count(), 0);
  content(page);
});
