// The variations of a game as a drawing. Only what is in sight is drawn: records have thousands of nodes.

import { move } from "../coordinates.js";
import { fill, h, set, svg } from "../element.js";
import { t } from "../strings.js";
import { arrange } from "../tree.js";

const STEP = { x: 30, y: 30 };
const EDGE = 20;

export class TreeView {
  /** @param {import("../game.js").OpenGame} game */
  constructor(game) {
    this.game = game;
    this.version = -1;
    this.layout = { columns: [0], rows: [0], width: 1, height: 1 };
    /** @type {Map<string, number>} */
    this.places = new Map();
    this.picture = svg("svg", { class: "tree-picture", "aria-hidden": "true" });
    this.root = h(
      "div",
      { class: "tree", tabindex: 0, role: "group", "aria-label": t("tree"), onscroll: () => this.draw() },
      this.picture,
    );
    this.picture.addEventListener("click", (event) => {
      const box = this.picture.getBoundingClientRect();
      const column = Math.round((event.clientX - box.left - EDGE) / STEP.x);
      const row = Math.round((event.clientY - box.top - EDGE) / STEP.y);
      const node = this.places.get(`${column} ${row}`);
      if (node !== undefined) game.look(node).catch(() => {});
    });
    // A tree that was hidden, or on no page yet, has not been scrolled.
    this.observer = new ResizeObserver(() => {
      this.reveal();
      this.draw();
    });
    this.observer.observe(this.root);
  }

  show() {
    const { tree, sheet } = this.game;
    if (this.version !== sheet.version) {
      this.version = sheet.version;
      this.layout = arrange(tree);
      this.places = new Map();
      this.layout.columns.forEach((column, one) => {
        if (column >= 0) this.places.set(`${column} ${this.layout.rows[one]}`, one);
      });
      set(this.picture, {
        width: (this.layout.width - 1) * STEP.x + 2 * EDGE,
        height: (this.layout.height - 1) * STEP.y + 2 * EDGE,
      });
      this.root.style.setProperty("--high", `${(this.layout.height - 1) * STEP.y + 2 * EDGE}px`);
    }
    this.reveal();
    this.draw();
  }

  /** Scrolls to the position that is looked at. */
  reveal() {
    const { node } = this.game;
    const { root } = this;
    const x = this.layout.columns[node] * STEP.x + EDGE;
    const y = this.layout.rows[node] * STEP.y + EDGE;
    if (x < root.scrollLeft + 40 || x > root.scrollLeft + root.clientWidth - 40)
      root.scrollLeft = x - root.clientWidth / 2;
    if (y < root.scrollTop + 20 || y > root.scrollTop + root.clientHeight - 20)
      root.scrollTop = y - root.clientHeight / 2;
  }

  draw() {
    const { tree, node: current } = this.game;
    if (!tree) return;
    const { columns, rows } = this.layout;
    const { root } = this;
    const left = (root.scrollLeft - EDGE) / STEP.x - 2;
    const right = (root.scrollLeft + root.clientWidth) / STEP.x + 1;
    const top = (root.scrollTop - EDGE) / STEP.y - 2;
    const bottom = (root.scrollTop + root.clientHeight) / STEP.y + 1;
    const line = new Set(tree.line(current));
    const edges = [];
    const nodes = [];
    for (let node = 0; node < columns.length; node += 1) {
      const column = columns[node];
      const row = rows[node];
      if (column < left || column > right) continue;
      const x = column * STEP.x + EDGE;
      const y = row * STEP.y + EDGE;
      const parent = tree.parent(node);
      if (typeof parent === "number") {
        const above = rows[parent];
        if (row >= top && above <= bottom) {
          const from = above * STEP.y + EDGE;
          const d =
            above === row
              ? `M${x - STEP.x} ${y}H${x}`
              : `M${x - STEP.x} ${from}V${y - 12}Q${x - STEP.x} ${y} ${x - STEP.x + 12} ${y}H${x}`;
          edges.push(svg("path", { d, class: line.has(node) ? "edge on" : "edge" }));
        }
      }
      if (row < top || row > bottom) continue;
      const played = move(tree.moves[node]);
      const states = (line.has(node) ? " on" : "") + (node === current ? " current" : "");
      const name = `node ${played ? played.color : "other"}${states}`;
      nodes.push(
        svg(
          "g",
          { class: name },
          svg("circle", { cx: x, cy: y, r: played ? 10 : 7 }),
          played && svg("text", { x, y }, played.move === "pass" ? "–" : tree.number(node)),
          tree.comments[node] && svg("circle", { class: "commented", cx: x + 9, cy: y - 9, r: 3.5 }),
        ),
      );
    }
    fill(this.picture, edges, nodes);
  }

  close() {
    this.observer.disconnect();
  }
}
