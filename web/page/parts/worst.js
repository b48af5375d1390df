// The moves of a reviewed game that cost most, as a list.

import { move } from "../coordinates.js";
import { h, refill } from "../element.js";
import { colorName, signed, t } from "../strings.js";

/** A move that costs less than this is no mistake worth a list. */
const MISTAKE = 1;

export class WorstMoves {
  /** @param {import("../game.js").OpenGame} game */
  constructor(game) {
    this.game = game;
    this.root = h("div", { class: "worst" });
  }

  /** @param {Map<number, Api.Reviewed>} reviewed */
  show(reviewed) {
    const { game, root } = this;
    const worst = [...reviewed.values()]
      .filter((one) => (one.lost ?? 0) >= MISTAKE && game.tree.has(one.node))
      .sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0));
    const key = worst.slice(0, 10).map((one) => `${one.node}:${one.lost}`).join() + reviewed.size;
    if (root.dataset.key === key) return;
    root.dataset.key = key;
    refill(
      root,
      reviewed.size > 0 && h("h2", {}, t("worst_moves")),
      reviewed.size > 0 && worst.length === 0 && h("p", { class: "hint" }, t("worst_none")),
      h(
        "ol",
        {},
        worst.slice(0, 10).map((one) => {
          const played = move(game.tree.moves[one.node]);
          const parent = game.tree.parent(one.node);
          const best = parent === null ? null : reviewed.get(parent)?.best;
          return h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "worst-move",
                "data-do": `look-${one.node}`,
                onclick: () => game.look(one.node).catch(() => {}),
              },
              h("span", { class: `disc small ${played?.color ?? "both"}`, "aria-hidden": "true" }),
              h(
                "span",
                { class: "worst-name" },
                t("worst_move", {
                  n: game.tree.number(one.node),
                  player: played ? colorName(played.color) : "",
                  move: played?.move === "pass" ? t("pass") : (played?.move ?? ""),
                }),
              ),
              best &&
                h("span", { class: "worst-best" }, t("worst_better", { move: best === "pass" ? t("pass") : best })),
              h("span", { class: "worst-lost" }, signed(-(one.lost ?? 0))),
            ),
          );
        }),
      ),
    );
  }
}
