// The board of the first view: the game that goes on, or an empty board on which a click begins one.

import { Board } from "../board/board.js";
import { emptyState, stateOf } from "../board/state.js";
import { request } from "../choices.js";
import { named } from "../coordinates.js";
import { fill, h } from "../element.js";
import { icon } from "../icons.js";
import { gameLink } from "../route.js";
import { playerName, t } from "../strings.js";

/** Boards larger than this are not drawn here. */
const LARGEST = 25;

export class LiveBoard {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../choices.js").Choices} choices
   * @param {(first: string | null) => void} start begins a game, with a first move if there is one
   */
  constructor(app, choices, start) {
    this.app = app;
    this.choices = choices;
    this.start = start;
    this.root = h("section", { class: "live-board", "aria-label": t("live_board") });
    /** @type {Api.Listing | null} */
    this.going = null;
    this.shown = "";
    this.closed = false;
  }

  /**
   * The games that there are: the latest one that is being played is shown, if there is a stone on it.
   * @param {Api.Listing[]} games
   */
  async take(games) {
    this.going = games.find((game) => game.phase === "playing" && game.moves > 0) ?? null;
    await this.show();
  }

  async show() {
    const { going, app } = this;
    if (going) {
      const key = `${going.id} ${going.updated}`;
      if (key === this.shown) return;
      this.shown = key;
      try {
        const sheet = await app.backend.call("game.get", { game: going.id });
        const view = await app.backend.call("game.view", { game: going.id, node: sheet.live });
        if (this.closed || this.shown !== key) return;
        this.showGame(going, view);
        return;
      } catch {
        // It may be gone meanwhile: then the board is for a new one.
        this.going = null;
      }
    }
    this.showNew();
  }

  /** @param {Api.Listing} game @param {Api.View} view */
  showGame(game, view) {
    const size = { width: game.width, height: game.height };
    const board = new Board(size, { coordinates: false, small: true });
    board.show(stateOf(size, view));
    const players = t("live_players", { black: playerName(game, "black"), white: playerName(game, "white") });
    fill(
      this.root,
      // The picture is one link: its points are for those who play.
      h(
        "a",
        { class: "live-link", href: gameLink(game.id), "aria-label": `${t("live_go_on")}: ${players}` },
        picture(board),
      ),
      h(
        "p",
        { class: "live-text" },
        h("span", {}, players),
        h("a", { class: "button primary", href: gameLink(game.id) }, icon("play"), h("span", {}, t("live_go_on"))),
      ),
    );
  }

  showNew() {
    const { choices, app } = this;
    const wanted = request(choices);
    const size = { width: wanted.width, height: wanted.height };
    const fits = [size.width, size.height].every((side) => Number.isInteger(side) && side >= 2 && side <= LARGEST);
    const first = wanted.black.kind === "person" && !wanted.handicap;
    const key = `new ${size.width} ${size.height} ${first}`;
    if (!fits || key === this.shown) return;
    this.shown = key;
    const board = new Board(size, {
      coordinates: false,
      small: true,
      confirm: () => "never",
      point: (at) => app.about.may_play && this.start(first ? named(size, at) : null),
    });
    const state = emptyState(size);
    if (first && app.about.may_play) state.turn = "black";
    board.show(state);
    const invites = app.about.may_play && t(first ? "live_begin" : "live_begin_second");
    fill(this.root, board.root, invites && h("p", { class: "live-text hint" }, invites));
  }

  close() {
    this.closed = true;
  }
}

/** A board that is only looked at: nothing of it is focused or read point by point. @param {Board} board */
function picture(board) {
  board.root.setAttribute("aria-hidden", "true");
  board.root.setAttribute("inert", "");
  return board.root;
}
