/** A call of `oatf` that needs no shell. */
export interface PlainCall {
  /** The folder in which it runs. */
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  readonly args: readonly string[];
  /** The file that is its standard input. */
  readonly input: string | undefined;
  /** The file that its output goes to. */
  readonly output: string | undefined;
  /** The commands that its output is piped to. */
  readonly filter: string | undefined;
}

const word = /(?:[\w./:=,@%+{}-]|'[^']*'|"(?:[^"$`\\]|\$ROOT\b)*")+/.source;
const call = new RegExp(
  `^(?:cd (${word}) && )?((?:\\w+=(?:${word})? )*)oatf((?: +${word})*)(?: < (${word}))?(?: > (${word}))? *(?:\\| (.+))?$`,
  's',
);
const outsideQuotes = /'[^']*'|"[^"]*"|([&;<>]|\boatf\b)/g;

/**
 * Reads a command of a script; undefined if it needs a shell. `$ROOT` may be used in it. Calls that change the whole process
 * or print before anything is loaded are left to a shell, too.
 */
export function plainCall(command: string, root: string): PlainCall | undefined {
  const [match, folder = '.', assignments = '', rest = '', input, output, filter] = call.exec(command) ?? [];
  if (match === undefined || (filter !== undefined && !isFilter(filter))) return undefined;
  const wordsIn = (text: string): readonly string[] =>
    (text.match(new RegExp(word, 'g')) ?? []).map((each) =>
      each.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double = '') =>
        single === undefined ? double.replaceAll('$ROOT', root) : single,
      ),
    );
  const args = wordsIn(rest);
  if (args.some((arg) => ['--version', '-V', '--debug'].includes(arg))) return undefined;
  return {
    folder: wordsIn(folder).join(''),
    environment: Object.fromEntries(wordsIn(assignments).map(assignmentIn)),
    args,
    input: input && wordsIn(input).join(''),
    output: output && wordsIn(output).join(''),
    filter,
  };
}

function isFilter(text: string): boolean {
  return [...text.matchAll(outsideQuotes)].every(([, outside]) => outside === undefined);
}

function assignmentIn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
