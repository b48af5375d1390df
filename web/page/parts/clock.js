// The time that a player has left, counted down between two messages.

import { h, say, set } from "../element.js";
import { t } from "../strings.js";

/** @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

export class ClockFace {
  constructor() {
    this.time = h("span", { class: "clock-time" });
    this.extra = h("span", { class: "clock-extra" });
    this.root = h("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true }, this.time, this.extra);
    /** @type {Api.ClockSide | null} */
    this.side = null;
    this.since = 0;
    this.timer = setInterval(() => this.tick(), 200);
  }

  /** @param {Api.ClockSide | null} side */
  show(side) {
    this.side = side;
    this.since = performance.now();
    this.root.hidden = side === null;
    this.tick();
  }

  tick() {
    const { side } = this;
    if (!side) return;
    const left = side.seconds - (side.running ? (performance.now() - this.since) / 1000 : 0);
    say(this.time, timeText(left));
    say(
      this.extra,
      side.overtime && side.periods !== undefined
        ? t("clock_periods", { n: side.periods })
        : side.overtime && side.stones !== undefined
          ? t("clock_stones", { n: side.stones })
          : "",
    );
    set(this.root, { class: `clock${side.running ? " running" : ""}${side.running && left <= 10 ? " short" : ""}` });
  }

  close() {
    clearInterval(this.timer);
  }
}
