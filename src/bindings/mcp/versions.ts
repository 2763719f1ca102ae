import type { PeerRequest } from '../../engine/binding.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { mcp2026, metaKey } from '../../registry/mcp-2026.ts';
import type { ServedEra } from '../served-era.ts';

/** The version of MCP that OATF is written for. */
const defaultVersion = '2025-11-25';
const olderVersions: ReadonlySet<Value | undefined> = new Set(['2025-06-18', '2025-03-26', '2024-11-05']);

/**
 * A document that names an older version than the format's default orders a downgrade, and one that names a newer
 * version forces it. What is no date says nothing of an era.
 */
export function servedEra({ protocol_version }: ValueMap, forced: ServedEra): ServedEra {
  if (forced !== 'both') return forced;
  if (!isDate(protocol_version) || protocol_version === defaultVersion) return 'both';
  return protocol_version < defaultVersion ? 'legacy' : 'modern';
}

/** The version that `initialize` is answered with. A document that names none leaves it to the client. */
export function agreedVersion({ protocol_version }: ValueMap, { params }: PeerRequest): Value {
  const asked = isValueMap(params) ? params.protocolVersion : undefined;
  return protocol_version ?? (asked !== undefined && olderVersions.has(asked) ? asked : defaultVersion);
}

/** The versions that a server names to clients of 2026-07-28 and later. */
export function supportedVersions({ protocol_version }: ValueMap, era: ServedEra): readonly Value[] {
  const written = protocol_version ?? null;
  if (era === 'legacy') return [written ?? defaultVersion];
  const isOld = written === null || (isDate(written) && written <= defaultVersion);
  return [isOld ? mcp2026 : written];
}

/** The version that a request of 2026-07-28 or later says it is written in. */
export function versionIn({ params }: PeerRequest): Value | undefined {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta[metaKey.protocolVersion] : undefined;
}

function isDate(value: Value | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}
