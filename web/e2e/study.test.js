// Editing that can be taken back, branches that are copied, links that hold games, positions found elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessible, browser, content, named, paste, picture, point, raise, server, visit } from "./stage.js";

raise();

const RECORD = "(;GM[1]FF[4]SZ[9]PB[Ada]PW[Bo]DT[2026-11-18];B[ee];W[gc];B[cg]C[a word])";

test("what was removed comes back with its comment", async () => {
  const page = await visit(browser);
  await paste(page, server.address, RECORD);
  await page.keyboard.press("End");
  await named(page, "C3", /black/);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove from here on" }).click();
  await named(page, "C3", /empty/);
  await page.locator('[data-do="toast"]').click();
  await named(page, "C3", /black/);
  assert.equal(await page.locator("textarea.comment").inputValue(), "a word");
  await page.keyboard.press("Control+Shift+Z");
  await named(page, "C3", /empty/);
  await page.keyboard.press("Control+Z");
  await named(page, "C3", /black/);
  await accessible(page, "editing");
  await picture(page, "study-edit");
  content(page);
});

test("an edit is taken back by a key after a click on a tool", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/open`);
  await page.getByRole("group", { name: "New board" }).getByRole("button", { name: "13×13" }).click();
  await page.locator(".review .board").waitFor();
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.getByRole("radio", { name: "Black stone" }).check({ force: true });
  await point(page, "D4").click();
  await named(page, "D4", /black/);
  await page.keyboard.press("Control+Z");
  await named(page, "D4", /empty/);
  await page.keyboard.press("Control+Y");
  await named(page, "D4", /black/);
  content(page);
});

test("an address that is pasted leads to the game in it, or says why it does not", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/open`);
  const paste = page.getByLabel("Or paste a record");
  await paste.fill("https://example.org/game.sgf");
  await page.getByRole("button", { name: "Open the text" }).click();
  await page.getByText("The page loads nothing from elsewhere.", { exact: false }).first().waitFor();
  await accessible(page, "an address that is not loaded");
  await paste.fill(`https://example.org/tengen/#/sgf/${encodeURIComponent("(;SZ[9];B[ee])")}`);
  await page.getByRole("button", { name: "Open the text" }).click();
  await page.locator(".review .board").waitFor();
  await page.keyboard.press("End");
  await named(page, "E5", /black/);
  content(page);
});

test("a branch is copied into a new board", async () => {
  const page = await visit(browser);
  await paste(page, server.address, RECORD);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await named(page, "E5", /last move/);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.locator('[data-do="copy-branch"]').click();
  await page.getByText("Copied.", { exact: false }).first().waitFor();
  const before = page.url();
  await page.getByRole("button", { name: "New board" }).click();
  await page.waitForURL((url) => String(url) !== before);
  await named(page, "E5", /empty/);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.locator('[data-do="paste-branch"]').click();
  await named(page, "E5", /black/);
  await page.keyboard.press("End");
  await named(page, "C3", /black/);
  content(page);
});

/** Asks until the answer is yes. @param {() => Promise<boolean>} ask */
async function until(ask) {
  for (let i = 0; i < 400; i += 1) {
    if (await ask()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("it never came");
}

/** What is on the clipboard, as soon as it fits. @param {any} page @param {(text: string) => boolean} fits */
async function copied(page, fits) {
  let text = "";
  await until(async () => {
    text = await page.evaluate(() => navigator.clipboard.readText().catch(() => ""));
    return fits(text);
  });
  return text;
}

test("a link holds the game, and another holds the position", async () => {
  const page = await visit(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  await paste(page, server.address, RECORD);
  await page.keyboard.press("End");
  await named(page, "C3", /black/);
  await page.getByRole("tab", { name: "File" }).click();
  await accessible(page, "sharing");
  await picture(page, "study-share");
  await page.locator('[data-do="copy-sgf"]').click();
  await page.getByText("Copied.").first().waitFor();
  await copied(page, (text) => /PB\[Ada\]/.test(text));
  await page.locator('[data-do="copy-image"]').click();
  await until(() =>
    page.evaluate(async () => (await navigator.clipboard.read())[0]?.types.includes("image/png") ?? false),
  );
  await page.locator('[data-do="link-game"]').click();
  const game = await copied(page, (text) => text.includes("#/sgf/"));
  await page.locator('[data-do="link-position"]').click();
  const position = await copied(page, (text) => text.includes("#/sgf/") && text !== game);

  const other = await visit(browser);
  await other.goto(game);
  await other.locator(".review .board").waitFor();
  assert.match((await other.locator(".review-title").textContent()) ?? "", /Ada – Bo/);
  await other.keyboard.press("End");
  await named(other, "C3", /black/);
  const opened = other.url();
  // The same link is the same game.
  await other.goto(`${server.address}#/open`);
  await other.locator(".drop").waitFor();
  await other.goto(game);
  await other.locator(".review .board").waitFor();
  assert.equal(new URL(other.url()).hash.split("/")[2], new URL(opened).hash.split("/")[2]);
  await other.goto(position);
  await other.locator(".review .board").waitFor();
  await named(other, "C3", /black/);
  await other.goto(`${server.address}#/sgf/nonsense`);
  await other.getByRole("heading", { name: "This is no game record that can be read." }).waitFor();
  await accessible(other, "a link that is broken");
  content(other);
  content(page);
});

test("a position is found in another game, and games are found by player and tag", async () => {
  const page = await visit(browser);
  // Turned by a quarter.
  await paste(page, server.address, "(;GM[1]FF[4]SZ[9]PB[Cleo]PW[Dan]KW[shape]RE[B+R];B[ee];W[cc];B[aa])");
  await paste(page, server.address, RECORD);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await named(page, "G7", /last move/);
  await page.getByRole("tab", { name: "File" }).click();
  await page.locator('[data-do="search"]').click();
  await page.getByRole("link", { name: "Cleo – Dan" }).first().waitFor();
  await picture(page, "study-search");
  await accessible(page, "a search");
  await page.goto(`${server.address}#/open`);
  const field = page.getByLabel("Search by player, date, result or tag");
  await field.waitFor();
  await field.fill("shape cleo");
  await page.waitForFunction(() => document.querySelectorAll(".game-list li").length === 1);
  await field.fill("nobody");
  await page.waitForFunction(() => document.querySelectorAll(".game-list li").length === 0);
  await field.fill("");
  // Tags are like folders: one shows its games alone, and says how many there are.
  const folders = page.getByRole("group", { name: "Games by tag" });
  await folders.getByRole("button", { name: "shape (1)" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".game-list li").length === 1);
  assert.equal(await folders.getByRole("button", { name: "shape (1)" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("link", { name: /Cleo – Dan/ }).waitFor();
  await picture(page, "folders");
  await accessible(page, "games by tag");
  await folders.getByRole("button", { name: /^All \(\d+\)$/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".game-list li").length > 1);
  content(page);
});

test("numbers begin where somebody wants them to", async () => {
  const page = await visit(browser);
  await paste(page, server.address, RECORD);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await named(page, "E5", /last move/);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Numbers from here" }).click();
  await page.keyboard.press("End");
  await named(page, "C3", /black/);
  assert.deepEqual(await page.locator(".numbers .number").allTextContents(), ["1", "2"]);
  content(page);
});

test("a record in a frame is walked through and kept nowhere", async () => {
  const page = await visit(browser);
  await page.goto(`${server.address}#/embed/${encodeURIComponent(RECORD)}`);
  await page.locator(".embed .board").waitFor();
  await page.keyboard.press("ArrowRight");
  await named(page, "E5", /last move/);
  await accessible(page, "a frame");
  await picture(page, "study-embed");
  content(page);
});

test("one script tag puts a board into the page of somebody else", async () => {
  const page = await visit(browser);
  const script = readFileSync(new URL("../page/embed.js", import.meta.url), "utf8");
  // A host of files, as the edition without a server has one: the program itself gives pages of others nothing.
  const home = "http://files.test/tengen/";
  await page.route(`${home}**`, (route) =>
    route.request().url().endsWith("embed.js")
      ? route.fulfill({ contentType: "text/javascript", body: script })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>a board</title>" }),
  );
  const body =
    `<!doctype html><script src="${home}embed.js"></script>` +
    `<tengen-board width="300">${RECORD}</tengen-board><tengen-board packed="abc"></tengen-board>`;
  await page.route("http://elsewhere.test/", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("http://elsewhere.test/");
  const frames = page.locator("tengen-board iframe");
  await frames.nth(1).waitFor();
  const [first, second] = await frames.evaluateAll((all) => all.map((frame) => frame.getAttribute("src") ?? ""));
  assert.ok(first.startsWith(`${home}#/embed/`), first);
  assert.equal(decodeURIComponent(first.split("#/embed/")[1]), RECORD);
  assert.equal(second, `${home}#/embed/abc`);
  assert.equal(await frames.first().getAttribute("width"), "300");
  content(page);
});
