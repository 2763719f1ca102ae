/** Sequences that move a terminal's cursor or change its colours. */
const terminalControls = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** Whatever leaves a mark: neither space nor control nor format characters, nor letters that are drawn as nothing. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nobody would see anything of a text. */
export function isBlank(text: string): boolean {
  return !visible.test(text.includes('\u001b') ? text.replace(terminalControls, '') : text);
}
