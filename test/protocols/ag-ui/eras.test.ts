import { readFileSync } from 'node:fs';
import type { BaseEvent } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../../src/agents/adapters/agent-under-test.ts';
import { type BuiltInAgentName, builtInAgent } from '../../../src/agents/built-in/built-in-agents.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { openLibrary } from '../../../src/suite/library/library.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../../src/suite/play/playable-modes.ts';
import { openAgent } from '../../support/http-agent.ts';

// Every shipped document whose attack is in what the user's side sends, against built-in agents behind servers of
// either generation. The servers differ only in how they treat inputs and events.

interface Era {
  /** The reason why an input is refused. */
  refuses(input: ValueMap): string | undefined;
  /** An event as such agents write it; undefined if they do not have it. */
  says(event: ValueMap): ValueMap | undefined;
  readonly accept: string;
}

const modern: Era = { refuses: () => undefined, says: (event) => event, accept: 'text/event-stream' };

const keysOfOld = new Set(['threadId', 'runId', 'state', 'messages', 'tools', 'context', 'forwardedProps']);
const rolesOfOld = new Set<Value | undefined>(['developer', 'system', 'assistant', 'user', 'tool']);

/** Reads inputs like Python's `ag-ui-protocol` 0.1.8, and writes events like agents of the 0.0.4x line. */
const old: Era = {
  refuses(input) {
    const missing = [...keysOfOld].find((key) => !Object.hasOwn(input, key));
    if (missing !== undefined) return `${missing}: field required`;
    const extra = Object.keys(input).find((key) => !keysOfOld.has(key));
    if (extra !== undefined) return `${extra}: extra inputs are not permitted`;
    for (const message of input.messages as ValueMap[]) {
      if (!rolesOfOld.has(message.role)) return `role: ${String(message.role)}`;
      if (message.role === 'user' && typeof message.content !== 'string') return 'content: not a string';
    }
    return undefined;
  },
  says(event) {
    const { protocolVersion: _, outcome: __, ...rest } = event;
    return rest;
  },
  accept: 'text/event-stream',
};

const eras = {
  '1.0': modern,
  '1.0 in protobuf': { ...modern, accept: 'application/vnd.ag-ui.event+proto' },
  '0.0.4x': old,
} satisfies { readonly [name: string]: Era };

function behind({ refuses, says, accept }: Era, name: BuiltInAgentName): AgentUnderTest {
  const agent = builtInAgent(name);
  return {
    ...agent,
    speaks: ['ag_ui'],
    async launch(briefing) {
      const inner = await agent.launch(briefing);
      const front = await openAgent(async (response, input) => {
        const refusal = refuses(input);
        if (refusal !== undefined) {
          response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: refusal }));
          return;
        }
        const answer = await fetch(String(inner.addresses.ag_ui), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input),
        });
        const events = (await answer.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
        const encoder = new EventEncoder({ accept });
        response.writeHead(200, { 'content-type': encoder.getContentType() });
        for (const frame of events) {
          const event = says(JSON.parse(frame.slice('data: '.length)) as ValueMap);
          if (event !== undefined) response.write(encoder.encodeBinary(event as unknown as BaseEvent));
        }
        response.end();
      });
      return {
        addresses: { ag_ui: front.url },
        // The front buffers nothing, so nothing is pending once the agent behind it is settled.
        isSettled: () => inner.isSettled?.() ?? false,
        async stop() {
          await front.close();
          await inner.stop();
        },
      };
    },
  };
}

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

const spoken = library.documents.flatMap(({ id, path }) => {
  const loaded = loadMarked(readFileSync(path, 'utf8'));
  if (!loaded.ok || loaded.marks === undefined) throw new Error(`${id} is not marked`);
  const { document, marks } = loaded;
  const isSpoken = marks.some(
    ({ actor }) => document.attack.execution.actors.find(({ name }) => name === actor)?.mode === 'ag_ui_client',
  );
  return isSpoken ? [{ id, document, needsNew: needsNew(document) }] : [];
});

/** Documents that use what only AG-UI 1.0 has, which older agents refuse. */
function needsNew({ attack }: NormalizedDocument): boolean {
  return attack.execution.actors.some(({ phases }) =>
    phases.some(({ state }) => {
      const input = isValueMap(state) ? state.run_agent_input : undefined;
      if (!isValueMap(input)) return false;
      const complete = { ...Object.fromEntries([...keysOfOld].map((key) => [key, []])), ...input };
      return old.refuses(complete as ValueMap) !== undefined;
    }),
  );
}

async function outcomeOf(document: NormalizedDocument, era: Era, name: BuiltInAgentName): Promise<string> {
  const { outcome, cause, task } = await playDocument(document, {
    modes: [mcpServerMode(), a2aServerMode()],
    agent: behind(era, name),
    clock: systemClock,
  });
  return `${outcome}${cause === undefined ? '' : `, ${cause}`}; task ${task}`;
}

describe.each(spoken)('shipped document $id over AG-UI 1.0 and 0.0.4x', ({ document, needsNew }) => {
  const names = needsNew ? (['1.0', '1.0 in protobuf'] as const) : (['1.0', '1.0 in protobuf', '0.0.4x'] as const);
  test.each(['gullible', 'guarded'] as const)(
    'has the same outcome against the %s agent in both generations',
    async (name) => {
      const outcomes = await Promise.all(names.map((era) => outcomeOf(document, eras[era], name)));
      expect(new Set(outcomes).size).toBe(1);
      expect(outcomes[0]).toMatch(name === 'gullible' ? /^exploited/ : /^resisted; task (?:done|unknown)$/);
    },
  );
  test.runIf(needsNew)('is inconclusive when an agent of before 1.0 refuses its input', async () => {
    expect(await outcomeOf(document, old, 'guarded')).toMatch(/^inconclusive, trouble/);
  });
});

test('the library has documents for both generations of AG-UI and documents for 1.0 only', () => {
  expect([spoken.some(({ needsNew }) => needsNew), spoken.some(({ needsNew }) => !needsNew)]).toEqual([true, true]);
});
