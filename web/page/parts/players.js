// The two players: who they are, what they have captured, how much time they have.

import { h, say } from "../element.js";
import { isYou, playerName, t } from "../strings.js";
import { ClockFace } from "./clock.js";

class PlayerCard {
  /** @param {Api.Color} color */
  constructor(color) {
    this.color = color;
    this.name = h("span", { class: "player-name" });
    this.captures = h("span", { class: "player-captures" });
    this.clock = new ClockFace();
    this.root = h(
      "div",
      { class: `player ${color}` },
      h("span", { class: `disc ${color}`, "aria-hidden": "true" }),
      h("div", { class: "player-text" }, this.name, this.captures),
      h("span", { class: "thinking", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      this.clock.root,
    );
  }

  /** @param {Api.Sheet} sheet @param {Api.View} view */
  show(sheet, view) {
    const { color } = this;
    const named = sheet.info?.[color];
    const rank = sheet.info?.[`${color}_rank`];
    const name = sheet.phase === "review" && named ? named : playerName(sheet, color);
    say(this.name, rank && sheet.phase === "review" ? `${name} ${rank}` : name);
    say(this.captures, t("captures_n", { n: view.captures[color] }));
    const active = sheet.phase === "playing" && sheet.to_move === color;
    this.root.classList.toggle("active", active);
    this.root.classList.toggle("busy", active && sheet.thinking);
    this.clock.show(sheet.clock ? sheet.clock[color] : null, sheet.clock?.settings, isYou(sheet, color));
  }
}

export class Players {
  constructor() {
    this.cards = [new PlayerCard("black"), new PlayerCard("white")];
    this.root = h("div", { class: "players" }, this.cards.map((card) => card.root));
  }

  /** @param {Api.Sheet} sheet @param {Api.View} view */
  show(sheet, view) {
    for (const card of this.cards) card.show(sheet, view);
  }

  close() {
    for (const card of this.cards) card.clock.close();
  }
}
