// What stands above a game while it is true.

import { h, say } from "../element.js";
import { t } from "../strings.js";

/** Does a clock run for a person against an engine? @param {Api.Sheet} sheet */
function isTimed({ black, white, clock, phase, paused }) {
  return clock && phase === "playing" && !paused && (black.kind === "person") !== (white.kind === "person");
}

export class Notices {
  /** @param {import("../app.js").App} app @param {import("../game.js").OpenGame} game */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    this.unsaved = h("p", { class: "notice danger", role: "alert", hidden: true });
    this.away = h("p", { class: "notice", role: "status", hidden: true });
    this.alone = h("p", { class: "notice", role: "timer", "aria-live": "off", hidden: true });
    this.root = h("div", { class: "notices" }, this.unsaved, this.away, this.alone);
    this.since = 0;
    this.timer = 0;
    this.leave = app.backend.onState((state) => this.hear(state));
  }

  show() {
    const { sheet } = this.game;
    if (!sheet) return;
    put(this.unsaved, sheet.unsaved ? `${t("unsaved")} ${sheet.trouble ?? ""}` : "");
    put(this.away, sheet.away ? t("was_away") : "");
  }

  /** @param {Backend["state"]} state */
  hear(state) {
    clearInterval(this.timer);
    if (state === "connected") {
      this.since = 0;
      put(this.alone, "");
      return;
    }
    this.since ||= performance.now();
    this.timer = setInterval(() => this.count(), 500);
    this.count();
  }

  /** Says how long the clock still runs. */
  count() {
    const { sheet } = this.game;
    if (!sheet || !isTimed(sheet)) return;
    const grace = this.app.about.limits.seconds_of_absence;
    const left = Math.ceil(grace - (performance.now() - this.since) / 1000);
    put(this.alone, left > 0 ? t("clock_stops", { n: left }) : t("clock_stopped"));
  }

  close() {
    clearInterval(this.timer);
    this.leave();
  }
}

/** @param {HTMLElement} place @param {string} text */
function put(place, text) {
  say(place, text);
  place.hidden = text === "";
}
