// The games that are kept, each with a small picture of its board.

import { fill, h, refill } from "../element.js";
import { gameLink } from "../route.js";
import { colorName, outcomeText, playerName, t, when } from "../strings.js";
import { countTags, tagsOf } from "../tags.js";
import { button } from "./controls.js";
import { thumbnail } from "./download.js";
import { sure } from "./question.js";
import { toasts } from "./toasts.js";

/** How many are shown before somebody asks for more. */
const FIRST = 8;

/** From how many games on they can be searched. */
const SEARCHED = 4;

/** What a game is called: one that was begun here after its players. @param {Api.Listing} game */
export function titleOf(game) {
  if (game.native && game.phase !== "review")
    return t("live_players", { black: playerName(game, "black"), white: playerName(game, "white") });
  // A record without names is called after the colours, in English.
  return game.title === "Black – White"
    ? t("live_players", { black: colorName("black"), white: colorName("white") })
    : game.title;
}

/**
 * @param {import("../app.js").App} app
 * @param {{ empty: string, phase?: Api.Phase, first?: number, heard?: (games: Api.Listing[]) => void }} options
 *   `first`: how many are shown at first; `heard`: is told of all games
 */
export function gameList({ backend }, { empty, phase, first = FIRST, heard }) {
  const list = h("div", { class: "game-list", "aria-busy": "true" });
  const field = h("input", {
    type: "search",
    placeholder: t("search_games"),
    "aria-label": t("search_games"),
    oninput: () => show(),
    hidden: true,
  });
  const folders = h("div", { class: "game-folders", role: "group", "aria-label": t("games_by_tag"), hidden: true });
  const root = h("div", { class: "searched-list" }, field, folders, list);
  /** The tag whose games are shown; null for all. @type {string | null} */
  let folder = null;
  let shown = first;
  /** Whether a game has all the words that are looked for. @param {Api.Listing} game */
  const fits = (game) => {
    const { black_name, white_name, date, result, tags } = game;
    const text = [titleOf(game), black_name, white_name, date, result, tags].join(" ").toLowerCase();
    return field.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const show = async () => {
    try {
      const { games } = /** @type {{ games: Api.Listing[] }} */ (await backend.call("games.list"));
      const all = games.filter((game) => !phase || game.phase === phase);
      const tags = countTags(all);
      if (!tags.some(([tag]) => tag === folder)) folder = null;
      const fitting = all.filter((game) => fits(game) && (folder === null || tagsOf(game).includes(folder)));
      showFolders(all.length, tags);
      heard?.(games);
      field.hidden = all.length < SEARCHED;
      list.setAttribute("aria-busy", "false");
      fill(
        list,
        fitting.length === 0 && h("p", { class: "empty" }, empty),
        fitting.length > 0 && h("ul", {}, fitting.slice(0, shown).map((game) => item(game))),
        fitting.length > shown &&
          button(t("show_more"), () => {
            shown += 30;
            show();
          }, { kind: "quiet" }),
      );
    } catch (failure) {
      toasts.refuse(failure);
    }
  };

  /** A button for each tag, as if games lay in folders: a game lies in as many as it has tags. */
  const showFolders = (/** @type {number} */ total, /** @type {[string, number][]} */ tags) => {
    folders.hidden = tags.length === 0;
    /** @param {string | null} tag @param {number} count @param {number} place */
    const one = (tag, count, place) =>
      button(
        `${tag ?? t("games_all")} (${count})`,
        () => {
          folder = tag;
          shown = first;
          show();
        },
        { kind: "quiet", "aria-pressed": String(folder === tag), "data-do": `folder-${place}` },
      );
    refill(folders, one(null, total, 0), tags.map(([tag, count], i) => one(tag, count, i + 1)));
  };

  /** @param {Api.Listing} game */
  const item = (game) => {
    const remove = button(
      t("delete_game", { title: titleOf(game) }),
      async () => {
        if (!(await sure(t("delete_sure", { title: titleOf(game) }), t("delete")))) return;
        await backend.call("games.delete", { game: game.id }).catch((failure) => toasts.refuse(failure));
        show();
      },
      { icon: "trash", bare: true, kind: "quiet" },
    );
    const title = titleOf(game);
    const state = game.result ? outcomeText(game.result, game) : t(`phase_${game.phase}`);
    return h(
      "li",
      {},
      h(
        "a",
        { href: gameLink(game.id) },
        thumbnail(backend, game.id),
        h(
          "span",
          { class: "game-text" },
          h("span", { class: "game-title" }, title),
          h(
            "span",
            { class: "game-about" },
            `${game.width}×${game.height} · ${t("moves_n", { n: game.moves })} · ${state}`,
          ),
          game.tags && h("span", { class: "game-about game-tags" }, game.tags),
          h("span", { class: "game-about" }, when(game.updated)),
        ),
      ),
      remove,
    );
  };
  show();
  const leave = backend.onState((state) => state === "connected" && show());
  return { root, close: leave };
}
