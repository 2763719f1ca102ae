import type { Value, ValueMap } from '../../../format/model/value.ts';

// How a server introduces itself, with defaults for keys that the document leaves out.

const defaultServer = { name: 'oatf-server', version: '1.0.0' };
// A capability that the document leaves out is still declared, empty. To declare less, a document writes
// `capabilities`.
const defaultCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

export function readServerInfo({ server_info }: ValueMap): Value {
  return server_info ?? defaultServer;
}

/** The fields shared by the answers to `initialize` and `server/discover`. */
export function createIntroduction({ capabilities, instructions }: ValueMap): ValueMap {
  return {
    capabilities: capabilities ?? defaultCapabilities,
    ...(instructions !== undefined && instructions !== null && { instructions }),
  };
}

/** The places in the state that the introduction comes from. */
export function listIntroductionPieces(state: ValueMap): readonly string[] {
  return ['protocol_version', 'capabilities', 'server_info', 'instructions']
    .filter((key) => (state[key] ?? null) !== null)
    .map((key) => `/${key}`);
}
