// What the tests stand on: the real program with a data folder of its own, and a real browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

import { chromium } from "playwright-core";

const PROGRAM = process.env.TENGEN;
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PICTURES = process.env.TENGEN_SCREENSHOTS ?? join(tmpdir(), "tengen-screenshots");
/** The page from a folder instead of the program, for those who work on it. */
const FOLDER = process.env.TENGEN_WEB;

/** How long anything may take: machines that run tests are busy. */
export const TIMEOUT = 90_000;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A port that nobody uses. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The program, serving the page. */
export class Server {
  /** @param {string[]} options further options of `tengen serve` */
  static async start(options = []) {
    assert.ok(PROGRAM, "TENGEN must be the path of the program");
    const server = new Server();
    server.options = options;
    server.data = mkdtempSync(join(tmpdir(), "tengen-e2e-"));
    server.port = await freePort();
    server.address = `http://127.0.0.1:${server.port}/`;
    await server.run();
    return server;
  }

  async run() {
    const web = FOLDER ? ["--web", FOLDER] : [];
    const words = [
      "serve",
      "--no-open",
      "--port",
      String(this.port),
      "--data",
      this.data,
      "--threads",
      "2",
      "--memory",
      "128",
      ...web,
      ...this.options,
    ];
    this.child = spawn(PROGRAM, words, { stdio: ["ignore", "pipe", "pipe"] });
    this.said = "";
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on("data", (bytes) => (this.said += bytes));
    this.ended = new Promise((resolve) => this.child.on("exit", resolve));
    const end = Date.now() + TIMEOUT;
    for (;;) {
      const answer = await fetch(this.address).catch(() => null);
      // One with a token refuses whoever has none.
      if (answer?.ok || answer?.status === 401) return;
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`the server does not answer:\n${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the program as a power cut would. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async stop() {
    this.child.kill("SIGTERM");
    await this.ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** A browser for all tests of a file. */
export function launch() {
  mkdirSync(PICTURES, { recursive: true });
  return chromium.launch({
    executablePath: BROWSER,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/** @type {Server} the program, once it was raised */
export let server;
/** @type {import("playwright-core").Browser} */
export let browser;

/** Has the program and a browser for all tests of a file. */
export function raise() {
  before(async () => {
    server = await Server.start();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
}

/**
 * A page in a context of its own. What it complains about is collected, and must be nothing in the end.
 * @param {import("playwright-core").Browser} browser
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function visit(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: "en-GB",
    colorScheme: "light",
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  return watched(page);
}

/**
 * What goes over the connection of a page. What comes can be held back, and a call refused in the place of the server.
 */
export class Wire {
  /** @param {import("playwright-core").Page} page a page that has not been anywhere yet */
  static async tap(page) {
    const wire = new Wire();
    /** @type {string[]} the methods that were called */
    wire.sent = [];
    /** @type {(() => void)[] | null} */
    wire.held = null;
    /** @type {{ method: string, error: object } | null} */
    wire.refusal = null;
    await page.routeWebSocket(/\/api\/live$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { id, method } = JSON.parse(String(text));
        wire.sent.push(method);
        const { refusal } = wire;
        if (refusal?.method === method) wire.bring(() => socket.send(JSON.stringify({ id, error: refusal.error })));
        else server.send(text);
      });
      server.onMessage((text) => wire.bring(() => socket.send(text)));
    });
    return wire;
  }

  /** @param {() => void} send */
  bring(send) {
    if (this.held) this.held.push(send);
    else send();
  }

  hold() {
    this.held = [];
  }

  release() {
    const held = this.held ?? [];
    this.held = null;
    for (const send of held) send();
  }
}

/** @param {import("playwright-core").Page} page */
export function watched(page) {
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error.stack ?? error)));
  return page;
}

/** @param {import("playwright-core").Page} page */
export function content(page) {
  assert.deepEqual(page.complaints, []);
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function picture(page, name) {
  // A stone that is still falling makes another picture every time, so all movements are taken to their ends.
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
}

/**
 * What axe finds wrong on the page as it is.
 * @param {import("playwright-core").Page} page
 */
export async function accessible(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} (${node.failureSummary})`).join("; ")}`,
  );
  assert.deepEqual(found, [], what);
}

/**
 * Fills in the form for a new game and begins it.
 * @param {import("playwright-core").Page} page
 * @param {string} address
 * @param {{
 *   against?: string, size?: string, width?: number, height?: number, level?: number, teaching?: boolean,
 *   rules?: string, handicap?: string, clock?: string
 * }} choices
 */
export async function begin(
  page,
  address,
  { against = "The engine", size = "9×9", width, height, level, teaching, rules, handicap, clock } = {},
) {
  await page.goto(address);
  await choose(page, against);
  await choose(page, size);
  if (width) await page.getByLabel("Width").fill(String(width));
  if (height) await page.getByLabel("Height").fill(String(height));
  if (level) await page.getByLabel("Strength").fill(String(level));
  if (teaching) await page.getByRole("checkbox", { name: /Teaching game/ }).check();
  if (rules || handicap || clock) await page.getByText("Rules, komi, handicap, time").click();
  if (rules) await page.getByLabel("Rules").selectOption(rules);
  if (handicap) await page.getByLabel("Handicap").selectOption(handicap);
  if (clock) await page.getByLabel("Time").selectOption(clock);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".play .board").waitFor();
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function choose(page, name) {
  await page.getByRole("radio", { name, exact: true }).check({ force: true });
}

/** @param {import("playwright-core").Page} page */
export const point = (page, name) => page.locator(`.point[data-point="${name}"]`);

/**
 * What a screen reader says about a point.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export const said = (page, name) => point(page, name).getAttribute("aria-label");

/**
 * Waits until a point is named as this pattern wants it.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 * @param {RegExp} pattern
 */
export async function named(page, name, pattern) {
  await page.waitForFunction(
    ([which, source]) =>
      new RegExp(source).test(
        document.querySelector(`.point[data-point="${which}"]`)?.getAttribute("aria-label") ?? "",
      ),
    [name, pattern.source],
    { timeout: TIMEOUT },
  );
}

/** Waits until somebody at this screen is to move, or the game is over; says which. */
export async function turn(page) {
  const found = await page.waitForFunction(
    () => {
      if (document.querySelector('[data-do="accept"], [data-do="review"]')) return "over";
      const pass = document.querySelector('[data-do="pass"]');
      return pass && pass.getAttribute("aria-disabled") !== "true" ? "turn" : false;
    },
    undefined,
    { timeout: TIMEOUT },
  );
  return found.jsonValue();
}

/** The names of the points where whoever is to move may play, as a screen reader hears them. */
export function open(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll(".point")]
      .map((cell) => cell.getAttribute("aria-label") ?? "")
      .filter((label) => /, empty/.test(label) && !/not playable/.test(label))
      .map((label) => label.split(",")[0]),
  );
}

/** How many stones lie on the board. */
export function stones(page) {
  return page.locator(".stones .stone").count();
}

/**
 * Opens a record by pasting its text.
 * @param {import("playwright-core").Page} page
 * @param {string} address
 * @param {string} text
 */
export async function paste(page, address, text) {
  await page.goto(`${address}#/open`);
  await page.getByLabel("Or paste a record").fill(text);
  await page.getByRole("button", { name: "Open the text" }).click();
  await page.locator(".review .board").waitFor();
}

/** The networks that fuzzing has left behind, as files. */
const NETWORKS = new URL("../../fuzz/regressions/katago/", import.meta.url);

/**
 * Drops the file of a network on the page.
 * @param {import("playwright-core").Page} page
 * @param {string | Uint8Array} file one of those that fuzzing has left behind, or what is in it
 * @param {string} name what it is called there
 */
export async function dropNetwork(page, file, name) {
  const bytes = [...(typeof file === "string" ? readFileSync(new URL(file, NETWORKS)) : file)];
  await page.evaluate(
    ([bytes, name]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    /** @type {[number[], string]} */ ([bytes, name]),
  );
}
