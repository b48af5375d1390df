// What every view gets to know.

/**
 * @typedef {object} App
 * @property {Backend} backend
 * @property {Api.About} about
 * @property {(route: import("./route.js").Route) => void} go
 */

/**
 * @typedef {object} PageView
 * @property {HTMLElement} root
 * @property {string} title
 * @property {() => void} close
 */

export {};
