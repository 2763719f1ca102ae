/** Escape sequences that move a terminal's cursor or change its colours. */
const terminalControls = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** A visible character: not a space, a control or format character, or a letter that is drawn as nothing. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing visible. */
export function isBlank(text: string): boolean {
  return !visible.test(text.includes('\u001b') ? text.replace(terminalControls, '') : text);
}
