// A network that is dropped on the page, with a server that allows it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server, accessible, content, dropNetwork, launch, picture, visit } from "./stage.js";

/** @type {Server} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  server = await Server.start(["--allow-networks"]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What the engine judges by, as the server says. @param {import("playwright-core").Page} page */
const network = (page) =>
  page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/about", { method: "POST", headers, body: "{}" });
    return (await answer.json()).engine.network;
  });

/** The first page, once it is there. */
async function home() {
  const page = await visit(browser);
  await page.goto(server.address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** What was refused is told in the console as well, by the browser itself. @param {any} page */
function forgetRefusals(page) {
  page.complaints = page.complaints.filter((/** @type {string} */ text) => !/status of 422/.test(text));
}

test("a network of KataGo is dropped, chosen, left with one click and deleted", async () => {
  const page = await home();
  await dropNetwork(page, "cut-off-in-a-block-within", "broken.bin.gz");
  await page.getByText(/broken\.bin\.gz cannot be used: /).waitFor();
  await dropNetwork(page, "a-whole-network", "tiny.bin");
  await page.getByText("The engine judges by tiny.bin now.").waitFor();
  assert.equal(await network(page), "network tiny (2x1, KataGo's version 8)");

  await page.getByRole("button", { name: "Settings" }).click();
  const tiny = page.getByRole("radio", { name: /tiny\.bin/ });
  await tiny.waitFor();
  assert.ok(await tiny.isChecked());
  await picture(page, "networks");
  await accessible(page, "the list of networks");
  await page.getByRole("radio", { name: "Built in" }).check();
  // The list is drawn anew when the server has answered.
  await page.locator("fieldset:not([aria-busy]) .networks").waitFor();
  assert.match(await network(page), /^baseline networks/);
  await page.getByRole("button", { name: "Delete tiny.bin" }).click();
  await tiny.waitFor({ state: "detached" });
  forgetRefusals(page);
  content(page);
});

test("a network that was just made is kept while the server is away, and one that is damaged is refused", async () => {
  const file = join(server.data, "new.safetensors");
  const line = ["net", "new", "--blocks", "1", "--channels", "16", "--seed", "3", file];
  execFileSync(/** @type {string} */ (process.env.TENGEN), line);
  const bytes = readFileSync(file);
  const page = await home();
  const damaged = Uint8Array.from(bytes);
  damaged[damaged.length - 1] ^= 1;
  await dropNetwork(page, damaged, "damaged.safetensors");
  await page.getByText(/damaged\.safetensors cannot be used: the weights `.+` are damaged/).waitFor();
  assert.match(await network(page), /^baseline networks/);
  await dropNetwork(page, bytes, "new.safetensors");
  await page.getByText("The engine judges by new.safetensors now.").waitFor();
  const chosen = await network(page);
  assert.match(chosen, /1x16/);
  forgetRefusals(page);
  content(page);
  await server.kill();
  await server.run();
  assert.equal(await network(await home()), chosen);
});
