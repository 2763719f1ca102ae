/** Makes lines such as `::error::` and `##[group]` harmless: CI systems would read them in a log as commands. */
export function neutralizeWorkflowCommands(text: string): string {
  return text.replace(/^([ \t]*):(?=:)/gm, '$1\\x3a').replace(/##(?=\w{0,40}\[)/g, '#\\x23');
}
