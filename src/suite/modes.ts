import { mcpServer } from '../bindings/mcp/server.ts';
import type { PlayableMode } from '../engine/run.ts';
import type { NormalizedActor } from '../model/normalized.ts';
import { createStreamableHttp, type StreamableHttpOptions } from '../transport/streamable-http.ts';

/** `mcp_server` actors over Streamable HTTP; options may differ from actor to actor. */
export function mcpServerMode(
  options: StreamableHttpOptions | ((actor: NormalizedActor) => StreamableHttpOptions) = {},
): PlayableMode {
  return {
    binding: mcpServer,
    transport: (actor) => createStreamableHttp(typeof options === 'function' ? options(actor) : options),
  };
}
