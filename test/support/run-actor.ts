import { mcpServer } from '../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { compileActor } from '../../src/attack/engine/actor.ts';
import { type ActorLoop, createActorLoop } from '../../src/attack/engine/actor-loop.ts';
import type { UnstampedRecord } from '../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../src/attack/engine/ports.ts';
import { systemClock } from '../../src/attack/transport/clock.ts';
import { createMcpServer, type HttpServerOptions } from '../../src/attack/transport/mcp-server/streamable-http.ts';
import { prepareGenerated } from '../../src/format/extensions/read-generate.ts';
import { load } from '../../src/format/load.ts';
import type { Diagnostic } from '../../src/format/model/errors.ts';
import type { ValueMap } from '../../src/format/model/value.ts';

export type Recorded = UnstampedRecord;

export interface RunningActor {
  readonly url: string;
  readonly records: readonly Recorded[];
  readonly warnings: readonly Diagnostic[];
  readonly transport: Transport;
  readonly loop: ActorLoop;
  stop(): Promise<void>;
}

export interface RunActorOptions extends HttpServerOptions {
  /** In place of Streamable HTTP. */
  readonly transport?: Transport;
  readonly askMs?: number;
  readonly record?: (record: Recorded) => void;
}

/** Plays the first actor of a document, on its own port unless another transport is given. */
export async function runActor(text: string, options: RunActorOptions = {}): Promise<RunningActor> {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  const [actor] = prepareGenerated(loaded.document, '0').attack.execution.actors;
  if (actor === undefined) throw new Error('the document has no actor');
  const records: Recorded[] = [];
  const warnings: Diagnostic[] = [];
  const transport = options.transport ?? createMcpServer(options);
  const loop = createActorLoop(compileActor(actor, mcpServer, { actors: [actor] }), mcpServer, transport, {
    clock: systemClock,
    askMs: options.askMs ?? 30_000,
    seed: 0,
    freshId: () => 'fresh',
    moved: () => {},
    endpoint: () => undefined,
    shared: (): ValueMap => ({}),
    record: options.record ?? ((record) => records.push(record)),
    log: () => {},
    warn: (diagnostic) => warnings.push(diagnostic),
    fail(message) {
      throw new Error(message);
    },
  });
  const { url } = await transport.open(loop.receive);
  loop.start();
  return {
    url,
    records,
    warnings,
    transport,
    loop,
    async stop() {
      loop.stop();
      await transport.close();
    },
  };
}
