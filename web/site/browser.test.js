// The site in a real browser, from a web host that does nothing but send files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import {
  accessible,
  begin,
  content,
  dropNetwork,
  launch,
  named,
  paste,
  picture,
  point,
  stones,
  turn,
  visit,
  watched,
} from "../e2e/stage.js";

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".gz": "application/gzip",
});

/** What hosts pack on the way, as every one does. */
const PACKED = new Set([".html", ".js", ".css", ".svg"]);

/** Chromium's Fast 3G: milliseconds until an answer begins, and how many bytes come in each of them. */
const FAST_3G = { wait: 562.5, bytes: (1.6 * 1024 * 1024 * 0.9) / 8 / 1000 };

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A host with the site in some folder of it. */
class Host {
  /** @param {string} folder */
  constructor(folder) {
    this.requests = 0;
    /** @type {typeof FAST_3G | null} How slow its line is. Unlike a browser's emulation, workers wait, too. */
    this.line = null;
    /** When all bytes that are on the line have arrived. */
    this.free = 0;
    this.server = createServer(async (request, response) => {
      this.requests += 1;
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
      const name = normalize(path.replace(/^\/some\/place\//, "").replace(/^$/, "index.html"));
      try {
        assert.ok(path.startsWith("/some/place/") && !name.startsWith("..") && !name.startsWith(sep));
        const bytes = readFileSync(join(folder, name));
        const kind = extname(name);
        const isPacked = PACKED.has(kind);
        const sent = isPacked ? gzipSync(bytes) : bytes;
        if (this.line) {
          await pause(this.line.wait);
          this.free = Math.max(this.free, performance.now()) + sent.length / this.line.bytes;
          await pause(this.free - performance.now());
        }
        const encoding = isPacked ? { "content-encoding": "gzip" } : {};
        response
          .writeHead(200, { "content-type": TYPES[kind] ?? "application/octet-stream", ...encoding })
          .end(sent);
      } catch {
        response.writeHead(404).end();
      }
    });
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", () => resolve(null)));
    const address = /** @type {import("node:net").AddressInfo} */ (this.server.address());
    this.address = `http://127.0.0.1:${address.port}/some/place/`;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** @type {Host} */
let host;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  const folder = process.env.TENGEN_SITE;
  assert.ok(folder, "TENGEN_SITE must be the folder that `cargo xtask site` has written");
  host = new Host(folder);
  await host.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await host?.stop();
});

/** What a screen reader says about every point. */
const points = (/** @type {import("playwright-core").Page} */ page) =>
  page.locator(".point").evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label")));

test("a game against the engine is still there after a reload, in another tab, and without a network", async () => {
  const page = await visit(browser);
  await begin(page, host.address, { level: 2 });
  await point(page, "E5").click();
  await named(page, "E5", /black/);
  await turn(page);
  assert.equal(await stones(page), 2);
  const free = ["C3", "G7", "C7"];
  for (const name of free) {
    if (!/empty/.test((await point(page, name).getAttribute("aria-label")) ?? "")) continue;
    await point(page, name).click();
    await named(page, name, /black/);
    await turn(page);
    break;
  }
  const before = await points(page);
  await picture(page, "site-play");
  await accessible(page, "a game without a server");

  await page.reload();
  await turn(page);
  assert.deepEqual(await points(page), before);

  const other = watched(await page.context().newPage());
  await other.goto(page.url());
  await turn(other);
  assert.deepEqual(await points(other), before);
  const lying = await stones(page);
  await other.locator('[data-do="undo"]').click();
  await page.waitForFunction((count) => document.querySelectorAll(".stones .stone").length < count, lying);
  await other.close();

  // Everything is kept by now, so the host may go away.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  const asked = host.requests;
  await page.reload();
  await turn(page);
  assert.equal(host.requests, asked);
  await page.context().setOffline(false);
  content(page);
  content(other);
});

test("on a slow line the page is there within three seconds", async (t) => {
  // The machine may be busy just now, so the best of some visits counts.
  /** @type {number[]} */
  const paints = [];
  host.line = FAST_3G;
  t.after(() => (host.line = null));
  for (let i = 0; i < 4 && !(Math.min(...paints) < 3000); i += 1) {
    const page = await visit(browser);
    host.free = 0;
    await page.goto(host.address, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    await page.context().close();
  }
  t.diagnostic(`first contentful paint after ${paints.map(Math.round).join(", ")} ms`);
  assert.ok(Math.min(...paints) < 3000, `${paints} ms`);
});

test("the site can be installed: its manifest and icons are there, and kept for times without a network", async () => {
  const page = await visit(browser);
  await page.goto(host.address);
  await page.locator(".new-game").waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  // From the second visit on, everything comes from what was kept.
  await page.reload();
  await page.locator(".new-game").waitFor();
  const found = await page.evaluate(async () => {
    const { href } = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="manifest"]'));
    const manifest = await (await fetch(href)).json();
    const icons = manifest.icons.map(async (/** @type {any} */ { src }) => (await fetch(new URL(src, href))).ok);
    return { start: new URL(manifest.start_url, href).href, icons: await Promise.all(icons) };
  });
  assert.deepEqual(found, { start: host.address, icons: [true, true, true] });
  await page.context().setOffline(false);
  content(page);
});

test("a record is opened, analysed, reviewed and saved", async () => {
  const page = await visit(browser);
  await paste(
    page,
    host.address,
    "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]PB[Ada]PW[Bo];B[ee];W[gc];B[cg];W[cc];B[aa];W[eg];B[fg];W[ef])",
  );
  await page.keyboard.press("End");
  await named(page, "E4", /white, last move/);
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".candidates > *").first().waitFor();
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("button", { name: "Look deeper" }).waitFor();
  await picture(page, "site-review");
  await page.getByRole("tab", { name: "File" }).click();
  for (const [kind, start] of [["sgf", "(;"], ["svg", "<svg "], ["animation", "<svg "], ["png", "\u0089PNG"]]) {
    const arriving = page.waitForEvent("download");
    await page.locator(`[data-save="${kind}"]`).click();
    const download = await arriving;
    assert.match(download.suggestedFilename(), kind === "animation" ? /\.svg$/ : new RegExp(`\\.${kind}$`));
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.toString("latin1", 0, start.length), start, kind);
  }
  // What needs a server is not offered.
  assert.equal(await page.locator('[data-save="gif"]').count(), 0);
  assert.equal(await page.getByRole("navigation").getByRole("link", { name: /Training/ }).count(), 0);
  content(page);
});

test("a phone plays, too", async () => {
  const page = await visit(browser, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  await begin(page, host.address, { level: 1 });
  await point(page, "E5").tap();
  await page.getByRole("button", { name: "Play E5" }).tap();
  await named(page, "E5", /black/);
  await turn(page);
  assert.equal(await stones(page), 2);
  await picture(page, "site-phone");
  content(page);
});

test("a network of KataGo that is dropped on the page stays, and is left with one click", async () => {
  const page = await visit(browser);
  await page.goto(host.address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await dropNetwork(page, "much-promised", "broken.bin.gz");
  await page.getByText(/broken\.bin\.gz cannot be used: /).waitFor();
  await dropNetwork(page, "a-compressed-network", "tiny.bin.gz");
  await page.getByText("The engine judges by tiny.bin.gz now.").waitFor();
  // It is in the storage of the browser: even a worker that begins anew has it.
  await page.goto("about:blank");
  await page.goto(host.address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  const tiny = page.getByRole("radio", { name: /tiny\.bin\.gz/ });
  await tiny.waitFor();
  assert.ok(await tiny.isChecked());
  await picture(page, "site-networks");
  await accessible(page, "networks without a server");
  await page.getByRole("radio", { name: "Built in" }).check();
  await page.getByRole("button", { name: "Delete tiny.bin.gz" }).click();
  await tiny.waitFor({ state: "detached" });
  content(page);
});
