// A training run, made on the spot, looked at in a real browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server, accessible, content, launch, picture, visit } from "./stage.js";

/** As little as a run can do: it learns nothing, and has everything that a view shows. */
const CONFIGURATION = `
seed = 1
[network]
blocks = 1
channels = 16
[self_play]
boards = [{ size = "3", komi = 3.5 }]
full_visits = 4
fast_visits = 2
[generation]
games = 4
batch = 8
[evaluation]
every = 1
games = 2
visits = 2
rollout_visits = 8
size = "3"
komi = 3.5
[until]
generations = 3
`;

const folder = mkdtempSync(join(tmpdir(), "tengen-run-"));
/** @type {Server} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  writeFileSync(join(folder, "tiny.toml"), CONFIGURATION);
  execFileSync(process.env.TENGEN ?? "", ["train", join(folder, "tiny.toml"), "--folder", join(folder, "tiny")], {
    stdio: "ignore",
  });
  server = await Server.start(["--run", join(folder, "tiny")]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a run shows its curves", async () => {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.getByRole("link", { name: "Training" }).click();
  await page.getByRole("link", { name: "tiny" }).click();
  await page.locator(".chart").first().waitFor();
  const titles = await page.locator(".chart-title").allTextContents();
  for (const title of ["Elo", "Loss of the policy", "Moves a game"])
    assert.ok(titles.includes(title), `${title} is not among ${titles}`);
  await picture(page, "run");
  await accessible(page, "a training run");
  content(page);
});

test("the games of a run can be stepped through", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/runs/tiny`);
  await page.locator(".run-games button").first().click();
  await page.locator(".review .board").waitFor();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector(".walker-place")?.textContent?.startsWith("0 /"));
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".walker-place")?.textContent?.startsWith("1 /"));
  await picture(page, "run-game");
  content(page);
});
