// Command-line tests as text. A script is commands with what they must print, then the files they work on:
//
//   # a comment
//   $ oatf validate bad.yaml          run as sh would, in a fresh folder that holds the files
//   | bad.yaml:1:1: error: …          a line of stdout; … stands for any text, alone for any lines
//   ! oatf: error: …                  a line of stderr
//   = 65                              the exit code, 0 if left out
//
//   -- bad.yaml --
//   oatf: "0.1"
//
// Commands of one script share the folder and run in order. What is not expected must not be printed. A command that only
// calls `oatf` runs in a process that is reused for many calls. Every other command is run by a shell, in new processes; so is
// `exec oatf`, for calls that load code of the user, which end their process.

interface Step {
  readonly line: number;
  readonly command: string;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exit: number;
}

export interface Script {
  readonly steps: readonly Step[];
  readonly files: ReadonlyMap<string, string>;
}

export function readScript(text: string): Script {
  const [head = '', ...parts] = text.split(/^-- (.+) --\n/m);
  const files = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) files.set(parts[index] ?? '', parts[index + 1] ?? '');
  return { steps: stepsOf(head.split('\n')), files };
}

function stepsOf(lines: readonly string[]): readonly Step[] {
  const steps: { line: number; command: string; stdout: string[]; stderr: string[]; exit: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const rest = line.slice(2);
    const step = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ line: index + 1, command: rest, stdout: [], stderr: [], exit: 0 });
    else if (line === '' || line.startsWith('#')) continue;
    else if (step !== undefined && line.startsWith('|')) step.stdout.push(rest);
    else if (step !== undefined && line.startsWith('!')) step.stderr.push(rest);
    else if (step !== undefined && line.startsWith('= ')) step.exit = Number(rest);
    else throw new Error(`line ${index + 1} of the script is none of $ | ! = #: ${line}`);
  }
  return steps;
}

/** The expected lines, with wildcards replaced by the real text; equal to the real lines if they fit. */
export function fitted(expected: readonly string[], actual: readonly string[]): readonly string[] {
  const fits = fitFrom(expected, actual, 0, 0);
  return fits ? actual : expected;
}

function fitFrom(expected: readonly string[], actual: readonly string[], e: number, a: number): boolean {
  if (e === expected.length) return a === actual.length;
  const line = expected[e] ?? '';
  if (line === '…') {
    for (let next = a; next <= actual.length; next++) if (fitFrom(expected, actual, e + 1, next)) return true;
    return false;
  }
  const real = actual[a];
  return real !== undefined && matcherOf(line).test(real) && fitFrom(expected, actual, e + 1, a + 1);
}

function matcherOf(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
