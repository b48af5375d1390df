// The time that a player has left, counted down between two messages.

import { h, say, set } from "../element.js";
import { tick } from "../sound.js";
import { t } from "../strings.js";

/** From so many seconds on the last ones are heard. */
const HEARD = 10;

/** @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * What is left besides the time that is counted down: of the overtime, from the start on.
 * @param {Api.ClockSide} side
 * @param {Api.ClockSettings | undefined} settings
 */
export function restText(side, settings) {
  if (side.overtime && side.periods !== undefined) return t("clock_periods", { n: side.periods });
  if (side.overtime && side.stones !== undefined) return t("clock_stones", { n: side.stones });
  if (settings?.byoyomi)
    return t("clock_then_byoyomi", { n: settings.byoyomi.periods, seconds: settings.byoyomi.seconds });
  if (settings?.canadian)
    return t("clock_then_canadian", { n: settings.canadian.stones, time: timeText(settings.canadian.seconds) });
  return settings?.increment ? t("clock_each_move", { seconds: settings.increment }) : "";
}

export class ClockFace {
  constructor() {
    this.time = h("span", { class: "clock-time" });
    this.extra = h("span", { class: "clock-extra" });
    this.root = h("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true }, this.time, this.extra);
    /** @type {Api.ClockSide | null} */
    this.side = null;
    /** @type {Api.ClockSettings | undefined} */
    this.settings = undefined;
    this.since = 0;
    /** Whether its last seconds are heard: those of whoever sits here. */
    this.heard = false;
    /** The second that was heard last. */
    this.second = 0;
    this.timer = setInterval(() => this.tick(), 200);
  }

  /** @param {Api.ClockSide | null} side @param {Api.ClockSettings} [settings] @param {boolean} [heard] */
  show(side, settings, heard = false) {
    this.side = side;
    this.settings = settings;
    this.heard = heard;
    this.since = performance.now();
    this.root.hidden = side === null;
    this.tick();
  }

  tick() {
    const { side } = this;
    if (!side) return;
    const left = side.seconds - (side.running ? (performance.now() - this.since) / 1000 : 0);
    say(this.time, timeText(left));
    say(this.extra, restText(side, this.settings));
    this.sound(side, left);
    set(this.root, { class: `clock${side.running ? " running" : ""}${side.running && left <= 10 ? " short" : ""}` });
  }

  /** Lets the last seconds of a period, or of all time, be heard. @param {Api.ClockSide} side @param {number} left */
  sound(side, left) {
    const second = Math.ceil(left);
    const last = side.overtime || (!this.settings?.byoyomi && !this.settings?.canadian);
    if (!this.heard || !side.running || !last || second > HEARD || second < 1) {
      this.second = 0;
      return;
    }
    if (second === this.second) return;
    this.second = second;
    tick(second);
  }

  close() {
    clearInterval(this.timer);
  }
}
