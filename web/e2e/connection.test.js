// Tabs, phones, and a server that goes away.

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { devices } from "playwright-core";

import {
  TIMEOUT,
  Server,
  accessible,
  begin,
  browser,
  choose,
  content,
  named,
  picture,
  point,
  raise,
  said,
  server,
  stones,
  turn,
  visit,
  watched,
} from "./stage.js";

raise();

test("two tabs show the same game and play it together", async () => {
  const one = await visit(browser);
  await begin(one, server.address, { against: "A friend here" });
  const other = watched(await one.context().newPage());
  await other.goto(one.url());
  await other.locator(".board").waitFor();
  await point(one, "E5").click();
  await named(other, "E5", /black, last move/);
  await point(other, "C3").click();
  await named(one, "C3", /white, last move/);
  await other.locator('[data-do="undo"]').click();
  await named(one, "C3", /empty/);
  await picture(other, "two-tabs");
  content(one);
  content(other);
});

test("a server that is killed and started again in mid-game goes on where it was", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1 });
  await point(page, "E5").click();
  await named(page, "E5", /black/);
  await turn(page);
  const before = await page.locator(".point").evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label")));
  assert.equal(await stones(page), 2);
  await server.kill();
  await page.locator(".connection").waitFor();
  assert.match((await page.locator(".connection").textContent()) ?? "", /Reconnecting/);
  await picture(page, "server-gone");
  // A move made meanwhile waits for the server, or is refused in words; it is never lost in silence.
  await server.run();
  await page.locator(".connection").waitFor({ state: "hidden", timeout: TIMEOUT });
  await turn(page);
  assert.deepEqual(
    await page.locator(".point").evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label"))),
    before,
  );
  const free = ["C3", "G7", "C7"].find((name) => before.includes(`${name}, empty`)) ?? "G3";
  await point(page, free).click();
  await named(page, free, /black/);
  await turn(page);
  await picture(page, "server-back");
  // The browser itself complains about connections that it could not make, and nothing else does.
  assert.deepEqual(page.complaints.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text)), []);
});

test("a phone shows a move before it is played", async () => {
  const phone = devices["iPhone 13"];
  const page = await visit(browser, {
    viewport: phone.viewport,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent: phone.userAgent,
  });
  await page.goto(server.address);
  await picture(page, "phone-home");
  await accessible(page, "home on a phone");
  await begin(page, server.address, { against: "A friend here", size: "19×19" });
  await point(page, "Q16").tap();
  const play = page.getByRole("button", { name: "Play Q16" });
  await play.waitFor();
  assert.equal(await stones(page), 0);
  await picture(page, "phone-preview");
  await accessible(page, "a move to be confirmed");
  // Another point takes the preview along; cancelling takes it away.
  await point(page, "D4").tap();
  await page.getByRole("button", { name: "Cancel" }).tap();
  assert.equal(await page.locator(".ghost").count(), 0);
  await point(page, "Q16").tap();
  await play.tap();
  await named(page, "Q16", /black, last move/);
  // A second tap on the same point plays as well.
  await point(page, "D4").tap();
  await point(page, "D4").tap();
  await named(page, "D4", /white, last move/);
  const [board, screen] = await page.evaluate(() => [
    document.querySelector(".board").getBoundingClientRect().width,
    innerWidth,
  ]);
  assert.ok(board > screen * 0.9, "the board fills the width of the screen");
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "nothing is wider than the screen",
  );
  assert.match((await said(page, "D4")) ?? "", /white/);
  await picture(page, "phone-play");
  content(page);
});

test("a game that cannot be saved says so, and goes on when it can be", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { against: "A friend here" });
  await point(page, "E5").click();
  await named(page, "E5", /black, last move/);
  // Without its folder no file can be written: for the page the same as a full disk.
  renameSync(join(server.data, "games"), join(server.data, "gone"));
  await point(page, "C3").click();
  const banner = page.locator(".notice.danger");
  await banner.waitFor();
  assert.match((await banner.textContent()) ?? "", /^Not saved\. This game could not be saved/);
  await picture(page, "not-saved");
  await accessible(page, "a game that is not saved");
  // The move is shown, but nothing more can be played; and it stays so for who comes now.
  await named(page, "C3", /white, last move/);
  await point(page, "G7").click();
  assert.equal(await stones(page), 2);
  const other = watched(await page.context().newPage());
  await other.goto(page.url());
  await other.locator(".notice.danger").waitFor();
  renameSync(join(server.data, "gone"), join(server.data, "games"));
  await banner.waitFor({ state: "hidden" });
  await point(page, "G7").click();
  await named(page, "G7", /black, last move/);
  await picture(page, "saved-again");
  content(page);
  content(other);
});

test("the clock against an engine stops for who has gone, and the page says when", async () => {
  const page = await visit(browser);
  await begin(page, server.address, { level: 1, clock: "10 min + 5 × 30 s" });
  await turn(page);
  await server.kill();
  const alone = page.locator('.notice[role="timer"]');
  await alone.waitFor();
  assert.match((await alone.textContent()) ?? "", /The clock stops in \d+ s unless/);
  await picture(page, "clock-stops");
  await server.run();
  await alone.waitFor({ state: "hidden" });
  assert.deepEqual(page.complaints.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text)), []);
});

test("who has the link for spectators sees the game and cannot touch it", async () => {
  const [token, look] = ["play-0123456789ab", "look-0123456789ab"];
  const guarded = await Server.start(["--token", token, "--spectator-token", look]);
  try {
    const player = await visit(browser);
    await player.goto(`${guarded.address}?token=${token}`);
    await begin(player, guarded.address, { against: "A friend here" });
    await point(player, "E5").click();
    await named(player, "E5", /black, last move/);
    const spectator = await visit(browser);
    await spectator.goto(`${guarded.address}?token=${look}`);
    await spectator.locator(".rights").waitFor();
    await picture(spectator, "spectator-home");
    assert.equal(await spectator.locator(".new-game:visible").count(), 0);
    await spectator.goto(player.url());
    await named(spectator, "E5", /black, last move/);
    assert.equal(await spectator.locator(".actions:visible").count(), 0);
    await point(spectator, "C3").click();
    await point(player, "D4").click();
    await named(spectator, "D4", /white, last move/);
    assert.equal(await stones(spectator), 2);
    await picture(spectator, "spectator");
    await accessible(spectator, "a game that is looked at");
    content(player);
    content(spectator);
  } finally {
    await guarded.stop();
  }
});

test("a friend elsewhere takes one seat by a link, and no more", async () => {
  const token = "token-of-the-host-1";
  const guarded = await Server.start(["--token", token]);
  try {
    const host = await visit(browser);
    await host.goto(`${guarded.address}?token=${token}`);
    await choose(host, "A friend here");
    await host.getByText("invite them by a link", { exact: false }).waitFor();
    await begin(host, guarded.address, { against: "A friend here" });
    await host.locator('[data-do="invite"]').click();
    await host.getByRole("button", { name: "Make a link" }).click();
    const link = await host.getByLabel("Link for your friend").inputValue();
    await accessible(host, "an invitation");
    await picture(host, "invitation");
    await host.getByRole("button", { name: "Close" }).click();
    const friend = await visit(browser);
    await friend.goto(link);
    await friend.locator(".play .board").waitFor();
    assert.equal(await friend.locator(".player.white .player-name").textContent(), "You");
    assert.equal(await host.locator(".player.black .player-name").textContent(), "You");
    // It is Black's turn: the friend cannot move.
    await point(friend, "C3").click();
    await point(host, "E5").click();
    await named(friend, "E5", /black, last move/);
    assert.equal(await stones(friend), 1);
    // Now it is White's, and the host cannot.
    await point(host, "G7").click();
    await point(friend, "C3").click();
    await named(host, "C3", /white, last move/);
    assert.equal(await stones(host), 2);
    // Whatever else the friend opens, it is this game.
    await friend.goto(guarded.address);
    await friend.locator(".play .board").waitFor();
    assert.equal(await friend.locator('[data-do="undo"], .new-game').count(), 0);
    await picture(friend, "invited");
    await accessible(friend, "a game of two at two places");
    await friend.locator('[data-do="resign"]').click();
    await friend.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await host.waitForFunction(() => /^You win\./.test(document.querySelector(".status")?.textContent ?? ""));
    content(host);
    content(friend);
  } finally {
    await guarded.stop();
  }
});
