// How far the analysis of a whole game has come, and what begins and ends it.

import { h, refill, say } from "../element.js";
import { t } from "../strings.js";
import { button } from "./controls.js";
import { attempt } from "./toasts.js";

/** Visits of the positions that matter when somebody wants to know better. */
const DEEPER = 12_800;

export class ReviewBar {
  /** @param {{ start: (visits?: number) => Promise<void>, stop: () => Promise<void> }} actions */
  constructor(actions) {
    this.actions = actions;
    this.meter = h("progress", { max: 1, value: 0, "aria-label": t("review_progress") });
    this.text = h("span", { class: "hint" });
    this.root = h("div", { class: "review-bar" });
  }

  /**
   * @param {{ running: boolean, round: number, done: number, total: number }} progress
   * @param {boolean} known has anything been found?
   */
  show({ running, round, done, total }, known) {
    const key = running ? "running" : known ? "done" : "none";
    if (this.root.dataset.key !== key) {
      this.root.dataset.key = key;
      this.fill(key);
    }
    this.meter.max = Math.max(1, total);
    this.meter.value = done;
    say(this.text, t(round === 0 ? "review_of" : "review_closer", { n: done, total }));
  }

  /** @param {"running" | "done" | "none"} key */
  fill(key) {
    const { start, stop } = this.actions;
    const deeper = attempt(() => start(DEEPER));
    const end = button(t("stop"), attempt(stop), { kind: "quiet" });
    if (key === "running") refill(this.root, this.meter, this.text, end);
    else if (key === "done") refill(this.root, button(t("review_deeper"), deeper, { icon: "chart" }));
    else
      refill(
        this.root,
        button(t("review_quick"), attempt(() => start()), { icon: "chart", kind: "primary" }),
        button(t("review_deep"), deeper, { kind: "quiet" }),
      );
  }
}
