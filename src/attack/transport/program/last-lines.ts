// The end of a program's standard error, in one line: it usually says why the program ended.

const mostLines = 4;
const longestLine = 200;

/** Matches the lines that Node.js writes after an uncaught error: stack frames, properties and its own version. */
const isAppendix = /^(?:\s+(?:at |\w+: )|Node\.js v\d|\s*[\]}],?\s*$)/;
/** Matches the excerpt that Node.js writes before an uncaught error: a place in a file, the line there, and a mark below it. */
const excerpt = /^(?:node:|file:|\/|[A-Z]:\\).*:\d+\n.*\n\s*[\^~]+\s*\n/gm;

/** Joins the last lines of an output that say something. */
export function joinLastLines(output: string): string {
  const lines = output.replace(excerpt, '').split('\n').filter(isFilled);
  const telling = lines.filter((line) => !isAppendix.test(line));
  const last = (telling.length > 0 ? telling : lines.slice(-1)).slice(-mostLines);
  return last.map(cutLine).join(' | ');
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}

function cutLine(line: string): string {
  const trimmed = line.trim();
  return trimmed.length > longestLine ? `${trimmed.slice(0, longestLine)}…` : trimmed;
}

/** Matches what runtimes and package managers say of a file or package that they do not find. */
const notFound =
  /Cannot find (?:module|package)|MODULE_NOT_FOUND|ModuleNotFoundError|can't open file|^npm (?:error|ERR!)|npx canceled|could not determine executable/m;

/** Explains errors that a program often has because it runs in an empty folder; empty for others. */
export function explainEmptyFolder(output: string): string {
  return notFound.test(output)
    ? ' (it runs in an empty folder; use an absolute path, node_modules/.bin/… or `cwd`)'
    : '';
}
