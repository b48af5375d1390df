// Games and networks in the storage of the browser.

/**
 * Where games are kept.
 * @typedef {object} Storage
 * @property {() => Promise<{ game: string, sgf: string }[]>} all
 * @property {(saves: { game: string, sgf: string | null }[]) => Promise<void>} write all or nothing; without a text a
 *   game is deleted
 */

/**
 * What is known of a network without reading it.
 * @typedef {{ name: string, about: string, bytes: number }} KeptNetwork
 */

/**
 * Where networks are kept, and which one was chosen; none for the baselines.
 * @typedef {object} NetworkStorage
 * @property {() => Promise<KeptNetwork[]>} list
 * @property {(name: string) => Promise<ArrayBuffer | null>} read
 * @property {(network: KeptNetwork, file: ArrayBuffer) => Promise<void>} keep
 * @property {(name: string) => Promise<void>} remove
 * @property {() => Promise<string | null>} chosen
 * @property {(name: string | null) => Promise<void>} choose
 */

const DATABASE = "tengen";
const GAMES = "games";
const NETWORKS = "networks";
const NETWORK_FILES = "network_files";
const CHOICES = "choices";

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

/**
 * Opens the database, and makes it if there is none.
 * @returns {Promise<Storage & { networks: NetworkStorage }>}
 */
export async function openStorage() {
  const opening = indexedDB.open(DATABASE, 2);
  opening.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) opening.result.createObjectStore(GAMES, { keyPath: "game" });
    if (oldVersion < 2) {
      opening.result.createObjectStore(NETWORKS, { keyPath: "name" });
      opening.result.createObjectStore(NETWORK_FILES);
      opening.result.createObjectStore(CHOICES);
    }
  };
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
    networks: networksIn(database),
  };
}

/** @param {IDBDatabase} database @returns {NetworkStorage} */
function networksIn(database) {
  const read = (/** @type {string} */ store) => database.transaction(store).objectStore(store);
  /** @param {string[]} stores @param {(stores: IDBObjectStore[]) => void} act @returns {Promise<void>} */
  const change = (stores, act) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(stores, "readwrite");
      act(stores.map((store) => transaction.objectStore(store)));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  return {
    list: () => done(read(NETWORKS).getAll()),
    read: async (name) => (await done(read(NETWORK_FILES).get(name))) ?? null,
    keep: (network, file) =>
      change([NETWORKS, NETWORK_FILES], ([networks, files]) => {
        networks.put(network);
        files.put(file, network.name);
      }),
    remove: (name) =>
      change([NETWORKS, NETWORK_FILES], ([networks, files]) => {
        networks.delete(name);
        files.delete(name);
      }),
    chosen: async () => (await done(read(CHOICES).get("network"))) ?? null,
    choose: (name) => change([CHOICES], ([choices]) => void choices.put(name, "network")),
  };
}

/**
 * Keeps games and networks as long as the worker lives, where a browser keeps nothing.
 * @returns {Storage & { networks: NetworkStorage }}
 */
export function fleetingStorage() {
  /** @type {Map<string, string>} */
  const games = new Map();
  /** @type {Map<string, { network: KeptNetwork, file: ArrayBuffer }>} */
  const networks = new Map();
  /** @type {string | null} */
  let chosen = null;
  return {
    networks: {
      list: async () => [...networks.values()].map(({ network }) => network),
      read: async (name) => networks.get(name)?.file ?? null,
      keep: async (network, file) => void networks.set(network.name, { network, file }),
      remove: async (name) => void networks.delete(name),
      chosen: async () => chosen,
      choose: async (name) => {
        chosen = name;
      },
    },
    all: async () => [...games].map(([game, sgf]) => ({ game, sgf })),
    write: async (saves) => {
      for (const { game, sgf } of saves) {
        if (sgf === null) games.delete(game);
        else games.set(game, sgf);
      }
    },
  };
}
