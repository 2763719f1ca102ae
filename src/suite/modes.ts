import { agUiClient } from '../bindings/ag-ui/client.ts';
import { mcpServer } from '../bindings/mcp/server.ts';
import type { PlayableMode } from '../engine/run.ts';
import type { NormalizedActor } from '../model/normalized.ts';
import { createSseClient } from '../transport/sse-client.ts';
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

export interface AgUiClientOptions {
  /** Whether there is an agent for an actor to speak to; one without is left out. */
  plays(actor: NormalizedActor): boolean;
  /** Where that agent is; asked for when the actor begins to speak. */
  url(actor: NormalizedActor): string;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** `ag_ui_client` actors over HTTP: each run is a POST that is answered by an event stream. */
export function agUiClientMode({ plays, url, headers }: AgUiClientOptions): PlayableMode {
  return {
    binding: agUiClient,
    plays,
    transport: (actor) => createSseClient({ url: () => url(actor), headers }),
  };
}
