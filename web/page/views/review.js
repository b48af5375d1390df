// A record to walk through, to analyse and to edit.

import { announcer } from "../announcer.js";
import { lineOf, moveNumbers, stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { index, move, named } from "../coordinates.js";
import { fill, h, refill, say } from "../element.js";
import { owners, playedMoves } from "../judged.js";
import { moveSaid } from "../losses.js";
import { button, tabs, toggle } from "../parts/controls.js";
import { Exact } from "../parts/exact.js";
import { FilePage } from "../parts/filepage.js";
import { Graph } from "../parts/graph.js";
import { CommentBox, signs, verdictField } from "../parts/notes.js";
import { found } from "../parts/opener.js";
import { Players } from "../parts/players.js";
import { askText } from "../parts/question.js";
import { ReviewBar } from "../parts/reviewbar.js";
import { Study } from "../parts/study.js";
import { Suggestions } from "../parts/suggestions.js";
import { Summary } from "../parts/summary.js";
import { Teaching } from "../parts/teaching.js";
import { attempt, toasts } from "../parts/toasts.js";
import { editOf, toolbox } from "../parts/tools.js";
import { TreeView } from "../parts/treeview.js";
import { Walker } from "../parts/walker.js";
import { refusal } from "../parts/why.js";
import { WorstMoves } from "../parts/worst.js";
import { offered } from "../proven.js";
import { settings } from "../settings.js";
import { number, resultText, t } from "../strings.js";
import { ruleName } from "./home.js";

/** Milliseconds that somebody stays at a position before it is analysed. */
const STAY = 120;

/** Switches that are kept from one record to the next. */
const habits = { analysis: false, ownership: false, exact: false, rates: false };

/** Milliseconds between two moves of a game that runs by itself. */
const PACE = 700;


export class ReviewView {
  /** @param {import("../app.js").App} app @param {import("../game.js").OpenGame} game */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    /** @type {import("../parts/tools.js").Tool} */
    this.tool = "play";
    /** @type {number | null} the first end of a line that is being drawn */
    this.from = null;
    /** @type {Api.Analysis | null} */
    this.analysis = null;
    /** @type {string | null} why there is no analysis */
    this.failed = null;
    /** @type {Map<number, Api.Reviewed>} */
    this.reviewed = new Map();
    this.progress = { running: false, round: 0, done: 0, total: 0 };
    /** @type {Map<number, import("../parts/graph.js").Sample & { visits: number }>} what analyses have found */
    this.seen = new Map();
    /** @type {import("../judged.js").Played[]} */
    this.moves = [];
    /** @type {any} */
    this.runs = null;
    /** @type {Api.Candidate | null} the move whose continuation is shown */
    this.shown = null;
    this.highlight = /** @type {number | null} */ (null);
    this.scheduled = false;
    this.closed = false;
    /** @type {any} */
    this.asking = null;
    /** The position that was announced last. */
    this.said = -1;
    /** The analysis that was asked for, as text. */
    this.watched = "null";

    this.surface = new Surface(game.size, {
      point: (at) => this.point(at),
      hover: (at) => this.hover(at),
      command: (word) => this.command(word),
    });
    this.players = new Players();
    this.walker = new Walker(game);
    this.tree = new TreeView(game);
    this.comment = new CommentBox((node, text) => game.edit([{ do: "comment", text }], node));
    this.graph = new Graph(
      game.size,
      {
        choose: (node) => game.look(node).catch(() => {}),
        view: (node) => game.peek(node),
        rates: (on) => {
          habits.rates = on;
          this.showAnalysis();
        },
      },
      habits.rates,
    );
    this.teaching = new Teaching(game, (active) => {
      if (active) this.exact.leaveWalk();
      this.surface.root.hidden = active;
    });
    this.suggestions = new Suggestions({
      show: (candidate) => this.preview(candidate),
      play: (candidate) => attempt(() => this.play(candidate.move))(),
    });
    this.exact = new Exact(app.backend, game, () => this.schedule(), (active) => {
      if (active) this.teaching.leave();
      this.surface.root.hidden = active;
    });
    this.study = new Study(app, game, () => this.draw());
    this.worst = new WorstMoves((mistake) => attempt(() => this.teaching.compare(mistake))());
    this.summary = new Summary({
      look: (one) => attempt(() => (one.next.lost > 0 ? this.teaching.compare(one) : game.look(one.node)))(),
      train: (color) => attempt(() => this.teaching.trainAll(this.moves, color))(),
    });
    this.bar = new ReviewBar({ start: (visits) => this.startReview(visits), stop: () => this.stopReview() });
    this.runner = toggle(t("run_through"), false, (on) => this.run(on), { icon: "play", bare: true });
    this.graph.value.before(this.runner);
    this.graph.value.after(this.bar.root);
    this.variations = h("div", { class: "variations" });
    this.signs = h("div", { class: "signs" });
    this.verdict = h("div");
    this.file = new FilePage(app, game, {
      edit: (edits) => this.edit(edits),
      playOn: () => this.playOn(),
      more: () => [this.study.sharing(), this.study.searching()],
    });
    this.title = h("h1", { class: "review-title", tabindex: -1 });
    this.subtitle = h("p", { class: "review-subtitle" });
    const { features } = app.about;
    /** @param {import("../icons.js").IconName} icon */
    const bare = (icon) => /** @type {const} */ ({ icon, bare: true, kind: "quiet" });
    this.switches = h(
      "div",
      { class: "switches" },
      features.analysis !== false &&
        toggle(t("analyse"), habits.analysis, (on) => this.analyse(on), bare("bulb")),
      features.analysis !== false &&
        toggle(t("ownership"), habits.ownership, (on) => {
          habits.ownership = on;
          if (on && !habits.analysis && this.reviewed.size === 0) this.switches.querySelector("button")?.click();
          else this.watch();
          this.draw();
        }, bare("scales")),
      offered(app.about, game.size) && toggle(t("exact"), habits.exact, (on) => this.prove(on), bare("check")),
      toggle(t("show_numbers"), settings.values.numbers, (numbers) => settings.change({ numbers }), bare("numbers")),
    );
    const pages = tabs(t("review_pages"), [
      {
        name: "analysis",
        title: t("tab_analysis"),
        content: h("div", { class: "tab-stack" }, this.exact.root, this.suggestions.root, this.worst.root),
      },
      { name: "summary", title: t("tab_summary"), content: this.summary.root },
      { name: "edit", title: t("tab_edit"), content: this.editPage() },
      { name: "file", title: t("tab_file"), content: this.file.root },
    ]);
    this.pages = pages;
    this.root = h(
      "div",
      { class: "review" },
      h("div", { class: "stage" }, this.surface.root, this.teaching.root, this.exact.place),
      h(
        "div",
        { class: "panel" },
        h("header", {}, this.title, this.subtitle),
        this.players.root,
        h("div", { class: "review-row" }, this.walker.root, this.switches),
        features.review !== false &&
          h("section", { class: "graph-box", "aria-label": t("graph") }, this.graph.root),
        h("section", { class: "moves", "aria-label": t("tab_game") }, this.tree.root, this.variations, this.signs,
          this.comment.root),
        pages.root,
      ),
    );
    this.forget = [
      game.on((what) => this.changed(what)),
      settings.on(() => this.draw()),
      app.backend.on("analysis", (event) => this.heardAnalysis(event)),
      app.backend.on("review", (event) => this.heardReview(event)),
      app.backend.onState((state) => state === "connected" && this.loadReview()),
    ];
    const remarks = found.get(game.id)?.filter((one) => one.severity !== "note").length ?? 0;
    if (remarks > 0) toasts.show(t("diagnostics_n", { n: remarks }));
    this.exact.turn(habits.exact && offered(app.about, game.size));
    this.show();
    this.watch();
    this.loadReview();
  }

  /** @param {import("../game.js").News} what */
  changed(what) {
    if (what === "clock") return;
    if (what === "tried") {
      this.draw();
      return;
    }
    if (what === "view" && this.analysis?.node !== this.game.node) {
      this.analysis = null;
      this.failed = null;
      this.shown = null;
      this.highlight = null;
      this.watch();
    }
    this.teaching.follow(this.game.node);
    this.exact.follow();
    this.show();
  }

  show() {
    const { game } = this;
    const { sheet, view, tree, node } = game;
    say(this.title, sheet.title);
    // The players stand below it: a title that says no more is for screen readers alone.
    const { black = "Black", white = "White" } = sheet.info;
    this.title.classList.toggle("spoken", sheet.title === `${black} – ${white}`);
    const about = [`${sheet.width}×${sheet.height}`, ruleName(sheet.rules), `${t("komi")} ${number(sheet.komi)}`];
    const result = sheet.result?.text ?? sheet.info.result;
    if (result) about.push(resultText(result));
    say(this.subtitle, about.join(" · "));
    this.players.show(sheet, view);
    this.walker.show();
    this.tree.show();
    this.study.show();
    this.comment.show(node, view.comment);
    this.showVariations();
    fill(this.signs, signs(view.annotations));
    if (!this.verdict.contains(document.activeElement))
      fill(
        this.verdict,
        verdictField(view.annotations, (edits) => attempt(() => this.edit(edits))()),
      );
    this.file.show();
    this.showAnalysis();
    const played = move(tree.moves[node] ?? "");
    const judged = this.moves.find((one) => one.node === node)?.next;
    if (played && this.said !== node) announcer.say(moveSaid(view, played, judged));
    this.said = node;
  }

  /** The graph, the list of moves, the worst moves, and the board. */
  showAnalysis() {
    const { game, analysis } = this;
    this.moves = playedMoves(this.reviewed, game.tree);
    /** @type {Map<number, import("../parts/graph.js").Sample>} */
    const samples = new Map(this.reviewed);
    // Of two searches of a position, the larger one is right.
    for (const [node, one] of this.seen)
      if (one.visits > (this.reviewed.get(node)?.visits ?? 0)) samples.set(node, one);
    const lost = new Map(
      this.moves.map(({ node, next, verdict }) => [node, { lost: next.lost, settled: verdict.settled }]),
    );
    const line = game.tree.line(game.node);
    const main = game.tree.main();
    this.graph.show(line, samples, game.node, lost, main.at(-1) === line.at(-1) ? line : main);
    this.suggestions.show(
      this.failed === null ? analysis : { failed: this.failed },
      game.view.to_move,
      habits.analysis ? t("analysis_waiting") : t("analysis_off"),
      this.nextMove(),
    );
    this.worst.show(this.moves);
    this.summary.show(this.moves, game.size);
    this.file.reviewed = this.reviewed.size > 0;
    this.file.show();
    this.bar.show(this.progress, this.reviewed.size > 0);
    this.draw();
  }

  /** The move that was played here in the game. */
  nextMove() {
    const { tree, node } = this.game;
    const next = tree.children[node]?.[0];
    return next === undefined ? null : (move(tree.moves[next])?.move ?? null);
  }

  /** Where the game went on, and what that move lost, if anybody knows. */
  nextMark() {
    const next = this.nextMove();
    if (next === null) return null;
    const found = habits.analysis ? this.analysis?.moves.find((one) => one.move === next) : undefined;
    const verdict = this.reviewed.get(this.game.node);
    const judged = found ?? (verdict?.next?.move === next ? verdict.next : undefined);
    if (!judged) return null;
    return { at: index(this.game.size, next), lost: judged.lost, settled: verdict?.settled ?? true };
  }

  draw() {
    const { game } = this;
    const { view, size } = game;
    const state = stateOf(size, game.shown, game.tried);
    const { analysis } = this;
    if (this.tool === "play") state.turn = view.to_move;
    const counted = this.study.counted;
    if (counted) state.numbers = moveNumbers(size, counted);
    else if (settings.values.numbers) state.numbers = moveNumbers(size, game.moves);
    if (analysis) {
      if (habits.analysis) state.candidates = analysis.moves;
      if (habits.ownership && analysis.ownership) state.ownership = analysis.ownership;
    }
    const verdict = this.reviewed.get(game.node);
    if (habits.ownership && !state.ownership && verdict) state.ownership = owners(verdict.ownership);
    state.rates = habits.rates;
    state.next = this.nextMark();
    state.proven = this.exact.shown;
    if (this.shown) state.line = lineOf(size, this.shown.pv, view.to_move);
    if (game.sheet.style?.markup !== false) {
      const shown =
        game.sheet.style?.variations === "siblings"
          ? (view.siblings ?? []).filter((one) => one.node !== game.node)
          : view.children;
      if (shown.length > 1 || game.sheet.style?.variations === "siblings")
        state.branches = shown.map((one) => index(size, move(one.move)?.move ?? ""));
    }
    state.highlight = this.from ?? this.highlight;
    this.surface.show(state);
  }

  showVariations() {
    const { game } = this;
    const { children } = game.view;
    refill(
      this.variations,
      children.length > 1 && h("span", { class: "hint" }, t("variations")),
      children.length > 1 &&
        children.map((child) => {
          const played = move(child.move);
          const name = played ? (played.move === "pass" ? t("pass") : played.move) : t("position");
          return button(name, () => game.look(child.node).catch(() => {}), { kind: "quiet" });
        }),
    );
  }

  editPage() {
    const { game } = this;
    const edit = (/** @type {Api.Edit} */ one) => attempt(() => this.edit([one]));
    return h(
      "div",
      { class: "tab-stack" },
      this.study.undoing,
      toolbox(this.tool, (tool) => {
        this.tool = tool;
        this.from = null;
        this.draw();
      }),
      h(
        "div",
        { class: "button-row" },
        button(t("pass"), attempt(() => this.play("pass")), { icon: "pass" }),
        button(t("black_next"), edit({ do: "to_move", color: "black" })),
        button(t("white_next"), edit({ do: "to_move", color: "white" })),
      ),
      this.verdict,
      h(
        "div",
        { class: "button-row" },
        button(t("promote"), edit({ do: "promote" }), { icon: "up" }),
        button(
          t("remove_move"),
          attempt(async () => {
            if (game.node === 0) return;
            await this.edit([{ do: "remove" }]);
            this.study.removed();
          }),
          { icon: "trash", kind: "danger" },
        ),
      ),
      this.study.branches,
    );
  }

  /** Plays on from the position that is looked at. */
  async playOn() {
    await this.game.act("game.continue", { node: this.game.node });
  }

  /** @param {number} at */
  point(at) {
    const { game } = this;
    const point = named(game.size, at);
    const stone = game.view.stones[at];
    if (this.tool === "play") {
      const illegal = game.view.illegal.find((one) => one.point === point);
      if (illegal) this.refuse(illegal);
      // A click on a stone goes to the move that put it there.
      else if (stone !== ".") this.goToStone(point);
      else
        this.play(point).catch((failure) =>
          failure.code === "illegal_move" ? this.refuse({ point, ...failure.data }) : toasts.refuse(failure),
        );
      return;
    }
    attempt(() => this.use(point, at, stone))();
  }

  /** @param {string} point @param {number} at @param {string} stone */
  async use(point, at, stone) {
    const { game, tool } = this;
    const edit = editOf(tool, point, game.view, stone);
    if (edit) {
      await this.edit([edit]);
    } else if (tool === "text") {
      const text = await askText(t("label_text", { point }));
      if (text !== null) await this.edit([{ do: "label", point, text }]);
    } else if (this.from === null) {
      this.from = at;
      this.draw();
    } else {
      const from = named(game.size, this.from);
      const arrow = tool === "arrow";
      this.from = null;
      if (from !== point) {
        const there = game.view.lines.some((line) => line.from === from && line.to === point);
        await this.edit([{ do: "line", from, to: point, arrow: there ? null : arrow }]);
      } else this.draw();
    }
  }

  /** @param {string} point */
  goToStone(point) {
    const { game } = this;
    const path = game.tree.path(game.node);
    const node = path.findLast((one) => move(game.tree.moves[one])?.move === point);
    if (node !== undefined) game.look(node).catch(() => {});
  }

  /** @param {Api.Illegal} illegal */
  refuse(illegal) {
    const at = index(this.game.size, illegal.point);
    const look = attempt(async () => {
      if (typeof illegal.node !== "number") return;
      await this.game.look(illegal.node);
      this.highlight = at;
      this.draw();
    });
    this.surface.explain(at, ...refusal(illegal, look));
  }

  /** @param {string} played */
  async play(played) {
    await this.game.play(played);
  }

  /** @param {string} word */
  command(word) {
    if (word === "pass") attempt(() => this.play("pass"))();
    else if (word === "undo" || word === "back") this.walker.go("ArrowLeft");
    else if (word === "forward" || word === "next") this.walker.go("ArrowRight");
    else return false;
    return true;
  }

  /** @param {Api.Edit[]} edits */
  async edit(edits) {
    await this.game.edit(edits);
  }

  /** @param {number | null} at */
  hover(at) {
    const candidate =
      at === null || !habits.analysis
        ? undefined
        : this.analysis?.moves.find((one) => index(this.game.size, one.move) === at);
    this.preview(candidate ?? null);
  }

  /** @param {Api.Candidate | null} candidate */
  preview(candidate) {
    if (this.shown?.move === candidate?.move) return;
    this.shown = candidate;
    this.draw();
  }

  /** @param {boolean} on */
  analyse(on) {
    habits.analysis = on;
    if (!on) {
      this.analysis = null;
      this.failed = null;
      this.shown = null;
    } else this.pages.choose("analysis");
    this.watch();
    this.showAnalysis();
  }

  /** @param {boolean} on */
  prove(on) {
    habits.exact = on;
    this.exact.turn(on);
    if (on) this.pages.choose("analysis");
    this.draw();
  }

  /** Walks through the game by itself, to its end. @param {boolean} on */
  run(on) {
    clearInterval(this.runs);
    this.runs = null;
    if (!on) return;
    this.runs = setInterval(() => {
      if (this.game.tree.next(this.game.wanted) !== null) this.walker.go("ArrowRight");
      else this.runner.click();
    }, PACE);
  }

  /** Asks for an analysis of this position, or for none, once somebody stays there. */
  watch() {
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.ask(), STAY);
  }

  ask() {
    const { backend } = this.app;
    const wanted = habits.analysis ? { game: this.game.id, node: this.game.node, ownership: habits.ownership } : null;
    const key = JSON.stringify(wanted);
    if (key === this.watched) return;
    this.watched = key;
    (wanted ? backend.call("analysis.watch", wanted) : backend.call("analysis.stop")).catch((failure) =>
      toasts.refuse(failure),
    );
  }

  /** @param {Extract<Api.Event, { event: "analysis" }>} event */
  heardAnalysis(event) {
    if (event.game !== this.game.id || event.node !== this.game.node || !habits.analysis) return;
    const failed = "failed" in event;
    this.analysis = failed ? null : event;
    if (!failed && event.visits > 20) this.seen.set(event.node, event);
    this.failed = failed ? event.failed : null;
    if (this.shown) this.shown = this.analysis?.moves.find((one) => one.move === this.shown?.move) ?? this.shown;
    this.schedule();
  }

  /** @param {Extract<Api.Event, { event: "review" }>} event */
  heardReview(event) {
    if (event.game !== this.game.id) return;
    const { done, total } = event;
    if ("failed" in event) this.progress = { ...this.progress, running: false, done, total };
    else {
      this.reviewed.set(event.node, event);
      this.progress = { running: event.running, round: event.round, done, total };
      // What came last may have settled what was found before.
      if (!event.running) this.loadReview();
    }
    this.schedule();
  }

  /** Draws with the next frame, however many messages have come. */
  schedule() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (!this.closed) this.showAnalysis();
    });
  }

  async loadReview() {
    if (this.app.about.features.review === false) return;
    try {
      const { nodes, ...progress } = await this.game.call("review.get");
      this.reviewed = new Map(nodes.map((one) => [one.node, one]));
      this.progress = progress;
      if (!this.closed) this.showAnalysis();
    } catch (failure) {
      toasts.refuse(failure);
    }
  }

  /** @param {number} [visits] of the positions that matter most */
  async startReview(visits) {
    this.progress = await this.game.call("review.start", { visits });
    this.showAnalysis();
  }

  async stopReview() {
    await this.game.call("review.stop");
    this.progress.running = false;
    this.showAnalysis();
  }

  close() {
    this.closed = true;
    clearTimeout(this.asking);
    clearInterval(this.runs);
    this.graph.close();
    this.teaching.close();
    for (const forget of this.forget) forget();
    if (habits.analysis) this.app.backend.call("analysis.stop").catch(() => {});
    this.exact.close();
    this.study.close();
    this.players.close();
    this.walker.close();
    this.tree.close();
    this.surface.close();
  }
}
