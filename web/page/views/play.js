// A game that is being played: the board, the players, what can be done, and in the end the score.

import { announcer } from "../announcer.js";
import { moveNumbers, stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { seat, seatValue } from "../choices.js";
import { index, move, named } from "../coordinates.js";
import { fill, h, refill, say } from "../element.js";
import { button, field, select } from "../parts/controls.js";
import { countText } from "../parts/counting.js";
import { saveButton } from "../parts/download.js";
import { Evaluation } from "../parts/evaluation.js";
import { Exact } from "../parts/exact.js";
import { leadText } from "../parts/graph.js";
import { openInvitation } from "../parts/invite.js";
import { Players } from "../parts/players.js";
import { sure } from "../parts/question.js";
import { scoreTable } from "../parts/score.js";
import { Teacher } from "../parts/teacher.js";
import { attempt, toasts } from "../parts/toasts.js";
import { Walker } from "../parts/walker.js";
import { refusal } from "../parts/why.js";
import { offered } from "../proven.js";
import { remember, resultOf } from "../results.js";
import { settings } from "../settings.js";
import { clack, gather, hush } from "../sound.js";
import { colorName, isYou, number, outcomeText, playerName, t } from "../strings.js";
import { isTaught } from "../taught.js";
import { ruleName, sitters } from "./home.js";

export class PlayView {
  /** @param {import("../app.js").App} app @param {import("../game.js").OpenGame} game */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    this.surface = new Surface(game.size, {
      point: (at) => this.point(at),
      key: (key) => this.key(key),
      command: (word) => this.key(word),
    });
    this.players = new Players();
    this.walker = new Walker(game);
    this.status = h("p", { class: "status" });
    this.back = h("div", { class: "look-back", hidden: true });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": t("actions") });
    this.ending = h("section", { class: "ending", hidden: true });
    this.facts = h("dl", { class: "facts" });
    this.seats = h("div", { class: "fields" });
    // It is help, and off until somebody asks for it.
    this.exact = new Exact(app.backend, game, () => this.draw(), (active) => (this.surface.root.hidden = active));
    /** @type {Api.Hint | null} */
    this.hint = null;
    /** @type {Api.Estimate | null} */
    this.estimate = null;
    /** @type {number | null} */
    this.highlight = null;
    this.pending = false;
    /** The own stone that was heard when it was put down, before the back end confirmed it. */
    this.heard = "";
    this.seen = game.sheet.live;
    this.seenNumber = game.tree.number(this.seen);
    const { black, white, phase } = game.sheet;
    /** A battle has a bar that says who is ahead. */
    this.evaluation =
      black.kind !== "person" && white.kind !== "person" && phase !== "finished" ? new Evaluation(app, game) : null;
    this.teacher =
      isTaught(game.id) && app.about.may_play && app.about.features.review !== false
        ? new Teacher(app, game, { draw: () => this.draw(), undo: () => this.do("game.undo") })
        : null;
    this.title = h("h1", { class: "spoken", tabindex: -1 });
    this.root = h(
      "div",
      { class: "play" },
      this.title,
      h("div", { class: "stage" }, this.surface.root, this.exact.place, this.back),
      this.players.root,
      h("div", { class: "state" }, this.status, this.evaluation?.root, this.teacher?.root, this.exact.root),
      this.ending,
      this.actions,
      this.walker.root,
      h("details", { class: "more" }, h("summary", {}, t("game_details")), this.facts, this.seats),
    );
    this.forget = [game.on((what) => this.changed(what)), settings.on(() => this.draw())];
    this.shownActions = "";
    /** The game whose result was remembered. */
    this.remembered = "";
    this.show();
  }

  /** @param {import("../game.js").News} what */
  changed(what) {
    if (what === "clock") {
      this.players.show(this.game.sheet, this.game.view);
      return;
    }
    if (what === "tried") {
      const { tried } = this.game;
      if (tried?.point) clack();
      this.heard = tried?.point ?? "";
      this.draw();
      this.enable();
      return;
    }
    const { sheet, tree } = this.game;
    if (sheet.live !== this.seen) {
      this.tellMoves();
      this.seen = sheet.live;
      this.seenNumber = tree.number(sheet.live);
      this.hint = null;
      this.estimate = null;
      this.highlight = null;
    }
    this.exact.follow();
    this.show();
  }

  /** Says what was played since the last time, and what it captured; or that moves were taken back. */
  tellMoves() {
    const { tree, sheet, view, node } = this.game;
    if (node !== sheet.live) return;
    if (tree.number(sheet.live) < this.seenNumber) {
      announcer.also(`${t("said_undo")} ${this.turnText()}`);
      return;
    }
    const path = tree.path(sheet.live);
    const before = this.captured ?? { black: 0, white: 0 };
    /** @type {Set<Api.Color>} the colours whose captures were told */
    const told = new Set();
    const moves = path.slice(path.indexOf(this.seen) + 1).flatMap((one) => move(tree.moves[one] ?? "") ?? []);
    // The latest move of a colour has captured what is new; of many moves at once only the last two are told.
    const said = moves.slice(-2).map((played) => {
      const taken = told.has(played.color) ? 0 : Math.max(0, view.captures[played.color] - before[played.color]);
      told.add(played.color);
      this.sound(played.move, taken);
      const text = this.moveText(played);
      return taken > 0 ? `${text} ${t("said_captures", { n: taken })}` : text;
    });
    if (said.length > 0) announcer.also(said.join(" "));
  }

  /** @param {{ color: Api.Color, move: string }} played */
  moveText(played) {
    const you = isYou(this.game.sheet, played.color);
    if (played.move === "pass") return you ? t("said_you_pass") : t("said_pass", { player: colorName(played.color) });
    return you
      ? t("said_you_move", { point: played.move })
      : t("said_move", { player: colorName(played.color), point: played.move });
  }

  /** Lets a move be heard. @param {string} played @param {number} taken */
  sound(played, taken) {
    if (played === "pass") hush();
    else if (played !== this.heard) clack();
    this.heard = "";
    gather(taken);
  }

  /** Whose turn it is, in words. */
  turnText() {
    const { sheet } = this.game;
    return isYou(sheet, sheet.to_move) ? t("status_your_turn") : t("status_turn", { player: colorName(sheet.to_move) });
  }

  show() {
    const { sheet, view } = this.game;
    this.captured = view.captures;
    say(this.title, sheet.title);
    this.players.show(sheet, view);
    this.walker.show();
    this.draw();
    this.showStatus();
    this.showBack();
    this.showActions();
    this.showEnding();
    this.showFacts();
    this.evaluation?.follow();
    const result = resultOf(sheet);
    if (result && this.remembered !== result.game) {
      this.remembered = result.game;
      remember(result);
      this.teacher?.conclude();
    }
  }

  /** Whether a click may put down a stone. */
  get mayPlay() {
    const { sheet, node } = this.game;
    if (sheet.unsaved || !this.app.about.may_play) return false;
    // With a friend elsewhere, each plays one colour.
    if (sheet.guest && !isYou(sheet, sheet.to_move)) return false;
    return sheet.phase === "playing" && node === sheet.live && sheet[sheet.to_move].kind === "person" && !this.pending;
  }

  draw() {
    const { game } = this;
    const { sheet, view, size } = game;
    const state = stateOf(size, game.shown, game.tried);
    if (this.mayPlay) state.turn = view.to_move;
    if (settings.values.numbers) state.numbers = moveNumbers(size, game.moves);
    if (game.node === sheet.live && (sheet.phase === "marking" || sheet.phase === "finished")) {
      state.dead = new Set((sheet.dead ?? []).map((point) => index(size, point)));
      state.turn = null;
      for (const color of /** @type {Api.Color[]} */ (["black", "white"]))
        for (const point of sheet.territory?.[color] ?? []) state.territory.set(index(size, point), color);
    }
    if (this.estimate && game.node === sheet.live) {
      state.ownership = this.estimate.ownership;
    }
    if (this.hint && game.node === sheet.live) {
      state.candidates = [{ ...this.hint, lost: 0 }];
    } else if (this.teacher?.shown && game.node === sheet.live) {
      state.branches = [index(size, this.teacher.shown)];
    }
    if (state.candidates.length === 0) state.proven = this.exact.shown;
    state.highlight = this.teacher?.looking ? index(size, this.teacher.looking) : this.highlight;
    this.surface.show(state);
  }

  showStatus() {
    const { sheet } = this.game;
    // Why a game is not saved stands above it.
    if (sheet.trouble && !sheet.unsaved) say(this.status, sheet.trouble);
    else if (sheet.phase === "marking") say(this.status, sheet.thinking ? t("status_settling") : t("status_marking"));
    else if (sheet.phase === "finished")
      say(this.status, sheet.result ? outcomeText(sheet.result.text, sheet) : t("phase_finished"));
    else if (sheet.paused) say(this.status, t("status_paused"));
    else if (sheet.thinking) say(this.status, t("status_thinking", { player: playerName(sheet, sheet.to_move) }));
    else {
      const last = move(this.game.tree.moves[sheet.live] ?? "");
      say(this.status, last?.move === "pass" ? `${this.moveText(last)} ${this.turnText()}` : this.turnText());
    }
  }

  /** A way back to where the game stands, for those who look at an earlier position. */
  showBack() {
    const { sheet, node, view } = this.game;
    const away = node !== sheet.live;
    this.back.hidden = !away;
    if (!away) {
      this.highlight = null;
      return;
    }
    refill(
      this.back,
      h("span", {}, t("looking_back", { n: view.number })),
      button(
        t("back_to_game"),
        attempt(() => this.game.look(sheet.live)),
        { kind: "primary" },
      ),
    );
  }

  showActions() {
    const { sheet } = this.game;
    const persons = [sheet.black, sheet.white].filter((one) => one.kind === "person").length;
    const { features, seat } = this.app.about;
    // Buttons are made anew only when others are needed: the focus stays.
    const key = [sheet.phase, persons, sheet.paused, this.estimate !== null, this.exact.on].join();
    if (key === this.shownActions) {
      this.enable();
      return;
    }
    this.shownActions = key;
    const { game } = this;
    /** @param {string} name @param {string} label @param {() => Promise<unknown>} work @param {object} [options] */
    const act = (name, label, work, options = {}) => button(label, attempt(work), { "data-do": name, ...options });
    const made = [];
    const prove =
      offered(this.app.about, game.size) &&
      act("exact", this.exact.on ? t("exact_hide") : t("exact"), async () => this.prove(), { icon: "check" });
    if (sheet.phase === "playing") {
      if (persons > 0) {
        made.push(act("pass", t("pass"), () => this.play("pass"), { icon: "pass" }));
        if (!seat) made.push(act("undo", t("undo"), () => this.do("game.undo"), { icon: "undo" }));
        if (features.hint !== false && !seat)
          made.push(act("hint", t("hint"), () => this.ask("hint"), { icon: "bulb" }));
      } else if (sheet.paused)
        made.push(act("resume", t("resume"), () => this.do("game.resume"), { icon: "play", kind: "primary" }));
      else made.push(act("pause", t("pause"), () => this.do("game.pause"), { icon: "pause" }));
      if (persons > 0 && sheet.paused)
        made.push(act("resume", t("resume"), () => this.do("game.resume"), { icon: "play", kind: "primary" }));
      if (persons === 2 && features.invite && !seat)
        made.push(act("invite", t("invite"), async () => openInvitation(game), { icon: "friend" }));
      if (!seat)
        made.push(
          act("estimate", this.estimate ? t("estimate_hide") : t("estimate"), () => this.ask("estimate"), {
            icon: "scales",
          }),
        );
      if (prove && !seat) made.push(prove);
      if (persons > 0) made.push(act("resign", t("resign"), () => this.resign(), { icon: "flag", kind: "danger" }));
      if (persons === 0) made.push(act("review", t("nav_review"), () => this.review(), { icon: "chart" }));
    } else if (sheet.phase === "marking") {
      made.push(act("accept", t("accept_score"), () => this.do("game.accept"), { icon: "check", kind: "primary" }));
      if (!seat) made.push(act("continue", t("play_on"), () => this.do("game.continue"), { icon: "again" }));
    } else if (seat) {
      made.push(saveButton(this.app.backend, t("save_sgf"), { game: game.id, kind: "sgf" }));
    } else {
      made.push(act("review", t("review_game"), () => this.review(), { icon: "chart", kind: "primary" }));
      made.push(act("new", t("new_game"), async () => this.app.go({ view: "home" }), { icon: "plus" }));
      made.push(act("continue", t("play_on"), () => this.do("game.continue"), { icon: "again" }));
      if (prove) made.push(prove);
      made.push(saveButton(this.app.backend, t("save_sgf"), { game: game.id, kind: "sgf" }));
    }
    refill(this.actions, made);
    this.enable();
  }

  /** Greys out what cannot be done now. */
  enable() {
    const { sheet, node } = this.game;
    const live = node === sheet.live;
    const off = /** @type {Record<string, boolean>} */ ({
      pass: !this.mayPlay,
      hint: !this.mayPlay,
      undo: sheet.live === 0,
      estimate: !live,
      accept: sheet.thinking,
    });
    for (const one of this.actions.querySelectorAll("button"))
      one.setAttribute("aria-disabled", String(off[one.dataset.do ?? ""] ?? false));
  }

  showEnding() {
    const { sheet } = this.game;
    const score = sheet.score ?? sheet.result?.parts ?? null;
    const shown = (sheet.phase === "marking" || sheet.phase === "finished") && score !== null;
    if (shown) {
      this.ending.hidden = false;
      fill(
        this.ending,
        h("p", { class: "count-text" }, countText(score)),
        sheet.phase === "marking" && h("p", { class: "hint" }, t("marking_help")),
        scoreTable(score),
      );
    } else if (this.estimate) {
      this.ending.hidden = false;
      fill(
        this.ending,
        h("p", { class: "hint" }, t("estimate_text", { lead: leadText(this.estimate.lead) })),
        scoreTable(this.estimate.score, t("estimate")),
      );
    } else if (this.hint) {
      this.ending.hidden = false;
      fill(
        this.ending,
        h(
          "p",
          { class: "hint" },
          t("hint_text", {
            move: this.hint.move === "pass" ? t("pass") : this.hint.move,
            lead: leadText(this.hint.lead),
          }),
        ),
      );
    } else {
      this.ending.hidden = true;
    }
  }

  showFacts() {
    const { sheet } = this.game;
    /** @type {[string, string][]} */
    const facts = [
      [t("rules"), ruleName(sheet.rules)],
      [t("komi"), number(sheet.komi)],
      [t("board_size"), `${sheet.width}×${sheet.height}`],
    ];
    if (sheet.handicap > 0) facts.push([t("handicap"), t("stones_n", { n: sheet.handicap })]);
    fill(this.facts, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    const key = JSON.stringify([sheet.black, sheet.white]);
    if (this.app.about.seat) return;
    if (this.seats.dataset.key === key) return;
    this.seats.dataset.key = key;
    fill(
      this.seats,
      /** @type {Api.Color[]} */ (["black", "white"]).map((color) =>
        field(
          colorName(color),
          select([["person", t("person")], ...sitters(this.app.about)], seatValue(sheet[color]), (value) =>
            attempt(() => this.do("game.seats", { [color]: seat(value) }))(),
          ),
        ),
      ),
    );
  }

  /** @param {number} at */
  point(at) {
    const { sheet, node, size } = this.game;
    const point = named(size, at);
    if (sheet.phase === "marking" && node === sheet.live) {
      if (this.game.view.stones[at] !== ".") attempt(() => this.do("game.dead", { point }))();
      return;
    }
    if (this.teacher?.answer) {
      // Who was warned and clicks elsewhere has thought again.
      this.teacher.answer(false);
      setTimeout(() => this.play(point).catch((failure) => toasts.refuse(failure)));
      return;
    }
    if (!this.mayPlay) return;
    this.play(point).catch((failure) => toasts.refuse(failure));
  }

  /** @param {string} played */
  async play(played) {
    if (!this.mayPlay) return;
    const { game } = this;
    const illegal = game.view.illegal.find((one) => one.point === played);
    if (illegal) {
      this.refuse(illegal);
      return;
    }
    this.pending = true;
    const { node } = game;
    try {
      if (played !== "pass" && this.teacher && !(await this.teacher.consider(played))) return;
      await game.play(played);
      if (played !== "pass") this.teacher?.comment(played, node);
    } catch (failure) {
      const { code, data } = /** @type {any} */ (failure);
      if (code === "illegal_move") this.refuse({ point: played, ...data });
      else {
        // Somebody else may have moved, or the answer was lost: look at the game again.
        game.refresh();
        if (code !== "not_live") throw failure;
      }
    } finally {
      this.pending = false;
      this.show();
    }
  }

  /** Says why a point cannot be played. @param {Api.Illegal} illegal */
  refuse(illegal) {
    const { game } = this;
    const at = index(game.size, illegal.point);
    const look = attempt(async () => {
      if (typeof illegal.node !== "number") return;
      this.highlight = at;
      await game.look(illegal.node);
      this.draw();
    });
    this.surface.explain(at, ...refusal(illegal, look));
  }

  /** @param {string} key @returns {boolean} */
  key(key) {
    const names = /** @type {Record<string, string>} */ ({ p: "pass", u: "undo", h: "hint", e: "estimate" });
    const name = names[key.toLowerCase()] ?? key.toLowerCase();
    const found = /** @type {HTMLButtonElement | null} */ (
      this.actions.querySelector(`[data-do="${CSS.escape(name)}"]`)
    );
    if (!found || found.getAttribute("aria-disabled") === "true") return false;
    found.click();
    return true;
  }

  /**
   * @template {import("../game.js").Act} M
   * @param {M} method
   * @param {Omit<Api.Methods[M]["params"], "game">} [params]
   */
  async do(method, params) {
    if (method === "game.undo" && this.game.sheet.live === 0) return;
    this.teacher?.answer?.(false);
    await this.game.act(method, params);
  }

  async resign() {
    if (!(await sure(t("resign_sure"), t("resign")))) return;
    // Of two persons with a seat each, it is whoever sits here.
    const { guest } = this.game.sheet;
    const color = guest && (this.app.about.seat ? guest : guest === "black" ? "white" : "black");
    await this.do("game.resign", color ? { color } : {});
  }

  async review() {
    await this.do("game.review");
  }

  prove() {
    this.exact.turn(!this.exact.on);
    this.show();
  }

  /** @param {"hint" | "estimate"} what */
  async ask(what) {
    const { game } = this;
    if (what === "estimate" && this.estimate) {
      this.estimate = null;
      this.show();
      return;
    }
    if (game.node !== game.sheet.live) return;
    if (what === "hint" && !this.mayPlay) return;
    const { node } = game;
    say(this.status, t("status_asking"));
    try {
      if (what === "hint") {
        const hint = await game.call("game.hint", { node });
        if (game.sheet.live !== node) return;
        this.hint = hint;
        const move = hint.move === "pass" ? t("pass") : hint.move;
        announcer.say(t("hint_text", { move, lead: leadText(hint.lead) }));
      } else {
        const estimate = await game.call("game.estimate", { node });
        if (game.sheet.live !== node) return;
        this.estimate = estimate;
        announcer.say(t("estimate_text", { lead: leadText(estimate.lead) }));
      }
    } finally {
      this.show();
    }
  }

  close() {
    for (const forget of this.forget) forget();
    this.evaluation?.close();
    this.teacher?.close();
    this.exact.close();
    this.players.close();
    this.walker.close();
    this.surface.close();
  }
}
