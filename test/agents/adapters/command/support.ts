import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Briefing, ProgramFacts, RunningAgent } from '../../../../src/agents/adapters/agent-under-test.ts';
import { createCommandAgent } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import { systemClock } from '../../../../src/attack/transport/clock.ts';
import { AgentFailed } from '../../../../src/attack/transport/http-failure.ts';
import { load } from '../../../../src/format/load.ts';
import type { ValueMap } from '../../../../src/format/model/value.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../../src/suite/play/playable-modes.ts';

/** The command that runs one of the programs here. */
export const program = (name: string, ...args: string[]): string[] => [
  process.execPath,
  fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url)),
  ...args,
];

/** A folder for the temporary files of this test file, so that leftovers can be found. */
export function useOwnTemporaryFolder(): { left(): readonly string[]; readonly path: string } {
  const before = process.env.TMPDIR;
  let path = '';
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'oatf-test-command-'));
    process.env.TMPDIR = path;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(path, { recursive: true, force: true });
  });
  return {
    left: () => readdirSync(path).filter((name) => name.startsWith('oatf-agent-')),
    get path() {
      return path;
    },
  };
}

export const briefing: Briefing = {
  endpoints: { shop: { url: 'http://127.0.0.1:1/shop' }, my_notes: { url: 'http://127.0.0.1:1/notes' } },
  mcpConfig: { mcpServers: { shop: { type: 'http', url: 'http://127.0.0.1:1/shop' } } },
  a2aCards: ['http://127.0.0.1:1/one.json', 'http://127.0.0.1:1/two.json'],
  withinMs: 60_000,
};

export interface Talk {
  /** The answers, turn by turn. */
  readonly texts: readonly string[];
  /** Why a turn failed; undefined if it did not. */
  readonly failures: readonly (string | undefined)[];
  readonly missed: string | undefined;
  /** What it left running. */
  readonly left: string | undefined;
  readonly program: ProgramFacts | undefined;
  /** Values that must not be stored. */
  readonly secrets: readonly string[] | undefined;
}

export interface TalkOptions {
  readonly environment?: { readonly [name: string]: string };
  readonly folder?: string;
  readonly briefing?: Briefing;
}

/** Sends a text, or a whole run input, and returns the answer. */
export async function sayTo(
  { addresses: { ag_ui: voice } }: RunningAgent,
  turn: string | ValueMap,
): Promise<{ readonly text: string; readonly failure: string | undefined }> {
  if (typeof voice !== 'function') throw new Error('there is no voice');
  const input =
    typeof turn === 'string' ? { threadId: 't', messages: [{ id: randomUUID(), role: 'user', content: turn }] } : turn;
  let text = '';
  let failure: string | undefined;
  try {
    for await (const event of voice(input, new AbortController().signal) as AsyncIterable<ValueMap>) {
      if (event.type === 'TEXT_MESSAGE_CONTENT') text += event.delta;
    }
  } catch (thrown) {
    const { message } = thrown as Error;
    failure = thrown instanceof AgentFailed ? message : `thrown: ${message}`;
  }
  return { text, failure };
}

/** Sends these to the program, one per turn; a value that is not a string is a whole run input. */
export async function talk(
  target: CommandTarget,
  turns: readonly (string | ValueMap)[] = ['Hello.'],
  options: TalkOptions = {},
): Promise<Talk> {
  const { environment = {}, folder = process.cwd() } = options;
  const running = await createCommandAgent('mine', target, { environment, folder }).launch(
    options.briefing ?? briefing,
  );
  const texts: string[] = [];
  const failures: (string | undefined)[] = [];
  try {
    for (const turn of turns) {
      const { text, failure } = await sayTo(running, turn);
      texts.push(text);
      failures.push(failure);
    }
  } finally {
    await running.stop();
  }
  const { secrets } = running;
  return { texts, failures, missed: running.missed?.(), left: running.left?.(), program: running.program?.(), secrets };
}

/** Plays a document of the library against a program. */
export async function attack(
  file: string,
  target: CommandTarget,
  options: Partial<PlayOptions> = {},
): Promise<PlayResult> {
  const text = readFileSync(new URL(`../../../../scenarios/${file}`, import.meta.url), 'utf8');
  return attackWith(text, target, options);
}

/** Plays a document against a program. */
export async function attackWith(
  text: string,
  target: CommandTarget,
  options: Partial<PlayOptions> = {},
): Promise<PlayResult> {
  const loaded = load(text);
  if (!loaded.ok) throw new Error('the document is not valid');
  return playDocument(loaded.document, {
    modes: [mcpServerMode()],
    agent: createCommandAgent('mine', target, { environment: process.env, folder: process.cwd() }),
    clock: systemClock,
    ...options,
  });
}
