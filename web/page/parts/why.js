// Why a move was refused, in words, with a way to look at the position that it would repeat.

import { announcer } from "../announcer.js";
import { h } from "../element.js";
import { illegalText, t } from "../strings.js";
import { button } from "./controls.js";

/** @param {Api.Illegal} illegal @param {(() => void) | null} look @returns {(Node | string)[]} */
export function refusal(illegal, look) {
  const text = illegalText(illegal);
  announcer.say(`${illegal.point}: ${text}`);
  const content = [h("p", {}, h("strong", {}, illegal.point), " ", text)];
  if (look && typeof illegal.node === "number")
    content.push(/** @type {any} */ (button(t("show_earlier"), look, { kind: "quiet" })));
  return content;
}
