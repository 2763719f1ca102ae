import type { AgentUnderTest } from '../../../src/agents/adapters/agent-under-test.ts';
import { agUiClient } from '../../../src/attack/bindings/ag-ui/ag-ui-client-binding.ts';
import { mcpClient } from '../../../src/attack/bindings/mcp/mcp-client-binding.ts';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import type { TraceRecord } from '../../../src/index.ts';
import { type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { VirtualClock, VirtualTransport } from '../../support/virtual-run.ts';
import { act, answer, type RandomPeer } from './peers.ts';

export interface RandomRun {
  readonly result: PlayResult;
  readonly trace: readonly TraceRecord[];
}

/** Plays a document against a random peer on a virtual clock. */
export async function playRandomly(document: NormalizedDocument, peer: RandomPeer): Promise<RandomRun> {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const transports: VirtualTransport[] = [];
  const trace: TraceRecord[] = [];
  const transport = (): VirtualTransport => {
    const made = new VirtualTransport();
    transports.push(made);
    return made;
  };
  let result: PlayResult | undefined;
  let fault: unknown;
  playDocument(document, {
    modes: [mcpServer, mcpClient, agUiClient].map((binding) => ({ binding, transport })),
    clock,
    agent: peer.isLaunched ? agentOf(peer) : undefined,
    signal: stopping.signal,
    record: (record) => trace.push(record),
  }).then(
    (played) => {
      result = played;
    },
    (thrown: unknown) => {
      fault = thrown;
    },
  );
  const answered = new WeakMap<VirtualTransport, number>();
  const decisions = [...peer.decisions];
  const replies = [...peer.replies];
  const moves = [...peer.moves];
  for (let round = 0; result === undefined && round < 2_000; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (fault !== undefined) throw fault;
    for (const each of transports) {
      const asks = each.sent.filter(({ kind }) => kind === 'ask');
      for (let number = answered.get(each) ?? 0; number < asks.length; number++) {
        answered.set(each, number + 1);
        const { ask = '', method = '' } = asks[number] ?? {};
        answer(
          each,
          { ask, method },
          number + 1,
          (method === 'elicitation/create' ? decisions : replies).shift() ?? 'words',
        );
      }
    }
    const next = moves.shift();
    const to = next === undefined ? undefined : (transports[next.actor % transports.length] as VirtualTransport);
    if (next !== undefined && to !== undefined) act(to, next.move);
    // A run without a peer would wait for ever.
    if (moves.length === 0 && (peer.end === 'is stopped' || round > 300)) stopping.abort();
    if (moves.length === 0 && round > 20 && peer.end === 'leaves')
      for (const each of transports) {
        each.sessions = 0;
        each.connected = false;
      }
    clock.advance(moves.length > 0 ? 10 : 1_000);
  }
  if (result === undefined) throw new Error('the run does not end');
  return { result, trace };
}

function agentOf({ lacksHistory, missed, exit }: RandomPeer): AgentUnderTest {
  return {
    name: 'random',
    kind: 'random',
    speaks: ['ag_ui', 'mcp'],
    isTold: true,
    ...(lacksHistory && { lacks: ['history'] }),
    launch: async () => ({
      addresses: {},
      ...(missed && { missed: () => 'a part of it' }),
      ...(exit === 'fails' && { program: () => ({ exitCode: 3, stderr: '' }) }),
      stop: async () => {},
    }),
  };
}
