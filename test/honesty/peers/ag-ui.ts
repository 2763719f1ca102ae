import type { ServerResponse } from 'node:http';
import type { BaseEvent } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { agUiAgent } from '../../../src/agents/adapters/ag-ui-agent.ts';
import type { McpConfig } from '../../../src/agents/adapters/agent-under-test.ts';
import type { ValueMap } from '../../../src/index.ts';
import { asRunOf } from '../../support/ag-ui-events.ts';
import { eventStream, frame, openAgent } from '../../support/http-agent.ts';
import type { Peer } from '../row.ts';
import type { Stage } from '../stage.ts';

// Agents that speak AG-UI.

const context = { environment: {}, folder: '.' };

/** The context in which an agent answers. */
export interface Asked {
  readonly input: ValueMap;
  /** The servers that it was given. */
  readonly servers: McpConfig;
  readonly stage: Stage;
}

/** Answers a run with anything that it writes. */
export function agUi(answer: (response: ServerResponse, asked: Asked) => unknown): Peer {
  return {
    over: 'AG-UI',
    async open(stage) {
      const { url, requests, close } = await openAgent((response, input, count) =>
        stage.work(async () => {
          const reported = requests[count - 1]?.headers['x-servers'];
          await answer(response, { input, servers: JSON.parse(String(reported)) as McpConfig, stage });
        }),
      );
      stage.afterwards(close);
      return {
        agent: agUiAgent('ag-ui', { agUi: url, headers: { 'x-servers': '{{mcp_config}}' } }, context),
      };
    },
  };
}

/** Streams these events. */
export function streaming(...events: readonly ValueMap[]): Peer {
  return agUi((response, { input }) =>
    response.writeHead(200, eventStream).end(asRunOf(input, events).map(frame).join('')),
  );
}

/** Streams these events in AG-UI's protobuf encoding, by the official encoder. */
export function inProtobuf(events: readonly ValueMap[], change: (bytes: Buffer) => Buffer = (bytes) => bytes): Peer {
  const encoder = new EventEncoder({ accept: '*/*' });
  return agUi((response, { input }) =>
    response
      .writeHead(200, { 'content-type': encoder.getContentType() })
      .end(
        change(
          Buffer.concat(asRunOf(input, events).map((event) => encoder.encodeBinary(event as unknown as BaseEvent))),
        ),
      ),
  );
}

/** Answers with this status. */
export function refusing(status: number): Peer {
  return agUi((response) => response.writeHead(status, { 'content-type': 'text/plain' }).end('no'));
}
