/**
 * Makes commands of CI systems harmless, which they would read in a log: `::error::` at the start of a line, and
 * `##[group]`, `##vso[…]` and `##teamcity[…]` anywhere. The escapes are those of JSON, so JSON keeps its meaning.
 */
export function disarmCommands(text: string): string {
  return text.replace(/^([^\S\r\n]*):(?=:)/gm, '$1\\u003a').replace(/##(?=\w{0,40}\[)/g, '#\\u0023');
}
