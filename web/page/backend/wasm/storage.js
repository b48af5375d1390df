// Games in the storage of the browser.

/**
 * Where games are kept.
 * @typedef {object} Storage
 * @property {() => Promise<{ game: string, sgf: string }[]>} all
 * @property {(saves: { game: string, sgf: string | null }[]) => Promise<void>} write all or nothing; without a text a
 *   game is deleted
 */

const DATABASE = "tengen";
const GAMES = "games";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the database, and makes it if there is none. @returns {Promise<Storage>} */
export async function openStorage() {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(GAMES, { keyPath: "game" });
  const database = await done(opening);
  // A newer version of this page must be able to change the database.
  database.onversionchange = () => database.close();
  return {
    all: () => done(database.transaction(GAMES).objectStore(GAMES).getAll()),
    write: (saves) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(GAMES, "readwrite");
        const games = transaction.objectStore(GAMES);
        for (const { game, sgf } of saves) {
          if (sgf === null) games.delete(game);
          else games.put({ game, sgf });
        }
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      }),
  };
}

/** Keeps games as long as the worker lives, where a browser keeps nothing. @returns {Storage} */
export function fleetingStorage() {
  /** @type {Map<string, string>} */
  const games = new Map();
  return {
    all: async () => [...games].map(([game, sgf]) => ({ game, sgf })),
    write: async (saves) => {
      for (const { game, sgf } of saves) {
        if (sgf === null) games.delete(game);
        else games.set(game, sgf);
      }
    },
  };
}
