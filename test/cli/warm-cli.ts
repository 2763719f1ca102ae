import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('warm-process.mjs', import.meta.url));

interface Call {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Its standard input, in base64. */
  readonly input?: string;
}

/** A call that may not have begun yet: there is one at a time. */
export interface Called {
  /** What it has printed until now. */
  readonly output: { stdout: string; stderr: string };
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends the process, if this call still runs in it. */
  kill(): void;
}

/** Calls the command line at this path in one process, one call after the other. */
export function warmCli(cli: string): (call: Call) => Called {
  let child: ChildProcessWithoutNullStreams | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const output = { stdout: '', stderr: '' };
    let caller: ChildProcessWithoutNullStreams | undefined;
    const ended = last.then(async () => {
      child ??= start();
      caller = child;
      // It ends when its input ends. Between calls it does not keep us running.
      hold(child, 'ref');
      const exit = await exitOf(child, call, output);
      hold(caller, 'unref');
      caller = undefined;
      return exit;
    });
    last = ended;
    return { output, ended, kill: () => void caller?.kill('SIGKILL') };
  };

  function start(): ChildProcessWithoutNullStreams {
    const started = spawn(process.execPath, [program, cli], { stdio: 'pipe' });
    started.on('exit', () => {
      child = undefined;
    });
    return started;
  }
}

function hold(child: ChildProcessWithoutNullStreams, how: 'ref' | 'unref'): void {
  for (const each of [child, child.stdin, child.stdout, child.stderr]) (each as Socket)[how]();
}

type ProcessEvent = { readonly name: 'stdout' | 'stderr'; readonly text: string } | { readonly exit: number };

/** A call with the user's code ends the process. The exit code is then that of the process, and the next call starts another. */
function exitOf(
  child: ChildProcessWithoutNullStreams,
  call: Call,
  said: { stdout: string; stderr: string },
): Promise<number | null> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: child.stdout });
    const complain = (chunk: Buffer): void => {
      said.stderr += chunk;
    };
    const end = (exit: number | null): void => {
      lines.close();
      child.stderr.off('data', complain);
      child.off('close', end);
      resolve(exit);
    };
    lines.on('line', (line) => {
      const reported = JSON.parse(line) as ProcessEvent;
      if ('exit' in reported) end(reported.exit);
      else said[reported.name] += reported.text;
    });
    child.stderr.on('data', complain);
    child.on('close', end);
    child.stdin.write(`${JSON.stringify(call)}\n`);
  });
}
