import type { Value, ValueMap } from '../../model/value.ts';

// What a server says of itself, and what it says where the document leaves that open.

const defaultServer = { name: 'oatf-server', version: '1.0.0' };
// An omitted key still declares its capability, empty; to declare less, a document writes `capabilities`.
const defaultCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

export function serverInfo({ server_info }: ValueMap): Value {
  return server_info ?? defaultServer;
}

/** What is in the answer to `initialize` and in that to `server/discover`. */
export function introduction({ capabilities, instructions }: ValueMap): ValueMap {
  return {
    capabilities: capabilities ?? defaultCapabilities,
    ...(instructions !== undefined && instructions !== null && { instructions }),
  };
}

/** Where in the state an introduction stands. */
export function introductionPieces(state: ValueMap): readonly string[] {
  return ['protocol_version', 'capabilities', 'server_info', 'instructions']
    .filter((key) => (state[key] ?? null) !== null)
    .map((key) => `/${key}`);
}
