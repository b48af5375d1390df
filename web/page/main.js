// The page begins here: a back end, a language, and the view that the address asks for.

import { announcer } from "./announcer.js";
import { connect } from "./backend/connect.js";
import { fill, h } from "./element.js";
import { exercises } from "./exercises.js";
import { icon } from "./icons.js";
import { button } from "./parts/controls.js";
import { listenForFiles } from "./parts/opener.js";
import { listenForHelp } from "./parts/keys.js";
import { openSettings } from "./parts/settings_panel.js";
import { toasts } from "./parts/toasts.js";
import { format, parse } from "./route.js";
import { settings } from "./settings.js";
import { beInvited, choose, failureText, speak, spoken, t } from "./strings.js";
import { homeView } from "./views/home.js";

/** @typedef {import("./app.js").PageView & { look?: (node: number | null) => void }} Shown */

const backend = connect();

/** @type {import("./app.js").App} */
const app = { backend, about: /** @type {any} */ (null), go };

const main = h("main", { id: "main" });
const navigation = h("nav", { class: "site-nav" });
const connection = h("div", { class: "connection", role: "status", hidden: true });
const rights = h("div", { class: "rights", role: "status", hidden: true });
/** @type {Shown | null} */
let shown = null;
/** @type {import("./route.js").Route | null} */
let route = null;

/** @param {import("./route.js").Route} to */
function go(to) {
  const hash = format(to);
  if (location.hash === hash) show();
  else location.hash = hash;
}

/** How often a view was asked for: the last one wins. */
let asked = 0;

async function show() {
  asked += 1;
  const mine = asked;
  // A question about what was on the page before is not one about what comes now.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const before = route;
  route = parse(location.hash);
  // Who was invited to a game finds that game, wherever they look.
  const { seat } = app.about;
  if (seat && (route.view !== "game" || route.game !== seat.game)) {
    go({ view: "game", game: seat.game, node: null });
    return;
  }
  showNavigation(route);
  if (route.view === "game" && before?.view === "game" && before.game === route.game && shown?.look) {
    shown.look(route.node);
    return;
  }
  shown?.close();
  shown = null;
  const made = await make(route);
  if (mine !== asked) {
    made.close();
    return;
  }
  shown = made;
  fill(main, made.root);
  if (made.title) document.title = `${made.title} – Tengen`;
  scrollTo(0, 0);
  // The first view gets no focus of its own: the browser has begun at the top.
  if (before) /** @type {HTMLElement | null} */ (made.root.querySelector("h1"))?.focus({ preventScroll: true });
}

/** @param {import("./route.js").Route} to @returns {Promise<Shown>} */
async function make(to) {
  switch (to.view) {
    case "home":
      return homeView(app);
    case "open":
      return (await import("./views/open.js")).openView(app);
    case "game":
      return (await import("./views/game.js")).gameView(app, to.game, to.node);
    case "learn":
      return (await import("./views/learn.js")).learnView(app, to.lesson);
    case "problems":
      return (await import("./views/problems.js")).problemsView(app, to.set, to.problem);
    case "sgf":
      return (await import("./views/shared.js")).sharedView(app, to.text);
    case "embed":
      return (await import("./views/embed.js")).embedView(app, to.text);
    case "exercises":
      return (await import("./views/exercises.js")).exercisesView(app);
    case "runs":
      return (await import("./views/runs.js")).runsView(app, to.run);
    default:
      return {
        root: h(
          "div",
          { class: "card lost" },
          h("h1", { tabindex: -1 }, t("no_such_page")),
          button(t("go_home"), () => go({ view: "home" }), { kind: "primary" }),
        ),
        title: t("no_such_page"),
        close() {},
      };
  }
}

/** @param {import("./route.js").Route} at */
function showNavigation(at) {
  /** @type {[string, string, boolean][]} */
  const links = [
    [format({ view: "home" }), t("nav_play"), at.view === "home"],
    [format({ view: "open" }), t("nav_review"), at.view === "open"],
    [format({ view: "learn", lesson: null }), t("nav_learn"), at.view === "learn"],
    [format({ view: "problems", set: null, problem: null }), t("problems"), at.view === "problems"],
  ];
  if (exercises.all.length > 0)
    links.push([format({ view: "exercises" }), t("exercises"), at.view === "exercises"]);
  if (app.about.seat) links.length = 0;
  else if (app.about.features.runs)
    links.push([format({ view: "runs", run: null }), t("nav_runs"), at.view === "runs"]);
  navigation.setAttribute("aria-label", t("navigation"));
  fill(
    navigation,
    links.map(([href, name, current]) => h("a", { href, "aria-current": current ? "page" : null }, name)),
  );
}

function dress() {
  const { theme, board } = settings.values;
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.board = board;
}

/** Builds all that stays while views come and go, in the language of the moment. */
function frame() {
  document.documentElement.lang = spoken();
  fill(
    document.body,
    h(
      "a",
      {
        href: "#main",
        class: "skip",
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          /** @type {HTMLElement | null} */ (main.querySelector("h1, [tabindex]"))?.focus();
        },
      },
      t("skip"),
    ),
    h(
      "header",
      { class: "site" },
      h(
        "a",
        { class: "logo", href: "#/", "aria-label": "Tengen" },
        h("span", { class: "logo-mark", "aria-hidden": "true" }),
        h("span", {}, "Tengen"),
      ),
      navigation,
      connection,
      rights,
      h(
        "button",
        {
          type: "button",
          class: "button bare quiet",
          "aria-label": t("settings"),
          title: t("settings"),
          onclick: () => openSettings(app),
        },
        icon("gear"),
      ),
    ),
    main,
    toasts.root,
    announcer.region,
  );
}

/** @param {Backend["state"]} state */
function showConnection(state) {
  connection.hidden = state === "connected";
  connection.classList.toggle("first", state === "connecting");
  connection.textContent = state === "connected" ? "" : t(state === "connecting" ? "connecting" : "reconnecting");
}

/** Tells spectators that they are, and hides what they cannot use. */
function showRights() {
  const looks = app.about?.may_play === false;
  document.body.classList.toggle("looks", looks);
  rights.hidden = !looks;
  rights.textContent = looks ? t("error_read_only") : "";
}

async function start() {
  dress();
  await speak(choose(settings.values.language ? [settings.values.language] : navigator.languages));
  frame();
  showConnection(backend.state);
  backend.onState(showConnection);
  // A back end in this browser keeps games in its storage, which may be full.
  backend.on("unsaved", () => toasts.refuse({ code: "unsaved" }));
  for (;;) {
    try {
      app.about = await backend.call("about");
      beInvited(Boolean(app.about.seat));
      break;
    } catch (failure) {
      fill(
        main,
        h(
          "div",
          { class: "card lost", role: "alert" },
          h("h1", {}, t("cannot_connect")),
          h("p", {}, failureText(failure)),
        ),
      );
    }
  }
  showRights();
  let language = settings.values.language;
  settings.on(async () => {
    dress();
    if (settings.values.language === language) return;
    language = settings.values.language;
    await speak(choose(language ? [language] : navigator.languages));
    frame();
    showRights();
    route = null;
    showConnection(backend.state);
    await show();
  });
  listenForFiles(app);
  listenForHelp();
  addEventListener("hashchange", show);
  await show();
}

start();
