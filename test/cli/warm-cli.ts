import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Ran } from './run-cli.ts';

const program = fileURLToPath(new URL('warm-process.mjs', import.meta.url));

interface Call {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Its standard input, in base64. */
  readonly input?: string;
}

/** Calls the command line at this path in one process, one call after the other. */
export function warmCli(cli: string): (call: Call) => Promise<Ran> {
  let child: ChildProcessWithoutNullStreams | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const ran = last.then(() => {
      child ??= start();
      return answerOf(child, call);
    });
    last = ran;
    return ran;
  };

  function start(): ChildProcessWithoutNullStreams {
    const started = spawn(process.execPath, [program, cli], { stdio: 'pipe' });
    // It does not keep the tests running, and ends when its input ends.
    started.unref();
    for (const pipe of [started.stdin, started.stdout, started.stderr]) (pipe as Socket).unref();
    started.on('exit', () => {
      child = undefined;
    });
    return started;
  }
}

type Told = { readonly name: 'stdout' | 'stderr'; readonly text: string } | { readonly exit: number };

/** A call with the user's code ends the process. The exit code is then that of the process, and the next call starts another. */
function answerOf(child: ChildProcessWithoutNullStreams, call: Call): Promise<Ran> {
  return new Promise((resolve) => {
    const said = { stdout: '', stderr: '' };
    const lines = createInterface({ input: child.stdout });
    const complain = (chunk: Buffer): void => {
      said.stderr += chunk;
    };
    const end = (exit: number | null): void => {
      lines.close();
      child.stderr.off('data', complain);
      child.off('close', end);
      resolve({ ...said, exit });
    };
    lines.on('line', (line) => {
      const told = JSON.parse(line) as Told;
      if ('exit' in told) end(told.exit);
      else said[told.name] += told.text;
    });
    child.stderr.on('data', complain);
    child.on('close', end);
    child.stdin.write(`${JSON.stringify(call)}\n`);
  });
}
