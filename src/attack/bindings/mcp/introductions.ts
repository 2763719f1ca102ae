import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { mcp2026, metaKey } from '../../../format/registry/mcp-2026.ts';
import type { PeerRequest } from '../../engine/binding.ts';
import type { ServedEra } from '../served-era.ts';

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

export function readServerInfo({ server_info = defaultServer }: ValueMap): Value {
  return server_info;
}

/** The fields shared by the answers to `initialize` and `server/discover`. */
export function createIntroduction({ capabilities = defaultCapabilities, instructions }: ValueMap): ValueMap {
  return { capabilities, ...(instructions !== undefined && { instructions }) };
}

/** The places in the state that the introduction comes from. */
export function listIntroductionPieces(state: ValueMap): readonly string[] {
  return ['protocol_version', 'capabilities', 'server_info', 'instructions']
    .filter((key) => state[key] !== undefined)
    .map((key) => `/${key}`);
}

/** The MCP version that OATF is written for. */
const defaultVersion = '2025-11-25';
const olderVersions: ReadonlySet<Value | undefined> = new Set(['2025-06-18', '2025-03-26', '2024-11-05']);

/** A document that names a version older than the format's default asks for a downgrade; any other serves everybody. */
export function chooseServedEra({ protocol_version }: ValueMap, forced: ServedEra): ServedEra {
  return forced === 'both' && isDate(protocol_version) && protocol_version < defaultVersion ? 'legacy' : forced;
}

/** The version in the answer to `initialize`. If the document names none, the client chooses. */
export function chooseVersion({ protocol_version }: ValueMap, { params }: PeerRequest): Value {
  const asked = isValueMap(params) ? params.protocolVersion : undefined;
  if (protocol_version !== undefined) return protocol_version;
  return asked !== undefined && olderVersions.has(asked) ? asked : defaultVersion;
}

/** The versions that a server announces to clients of 2026-07-28 and later. */
export function listSupportedVersions(
  { protocol_version = defaultVersion }: ValueMap,
  era: ServedEra,
): readonly Value[] {
  const isOld = isDate(protocol_version) && protocol_version <= defaultVersion;
  return [isOld && era !== 'legacy' ? mcp2026 : protocol_version];
}

/** The protocol version that a request of 2026-07-28 or later declares. */
export function readDeclaredVersion({ params }: PeerRequest): Value | undefined {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta[metaKey.protocolVersion] : undefined;
}

function isDate(value: Value | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}
