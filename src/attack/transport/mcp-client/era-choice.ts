import { isValueMap, type Value } from '../../../format/model/value.ts';
import { mcp2026, mcp2026Error } from '../../../format/registry/mcp-2026.ts';
import type { Answer } from '../../engine/actor-messages.ts';

// Chooses the era in which to speak to a server. It is unknown until the server is asked: `server/discover` is sent
// first, and any response other than an answer of 2026-07-28 or later leads to a handshake, as the specification says.

/** The era in which to speak to a server; `both` finds out which it speaks, and prefers the one without sessions. */
export type SpokenEra = 'legacy' | 'modern' | 'both';

/** The version that the binding names if the document names none. */
const usualVersion = '2025-11-25';

export interface OpeningPlan {
  /** `probe` sends `server/discover`, and goes on with a handshake if that fails. */
  readonly how: 'handshake' | 'discover' | 'probe';
  /** The version that requests without a session name. */
  readonly version: string;
}

/**
 * A document that names an older version gets the handshake of that version; one that names a newer version gets that
 * version.
 */
export function planMcpOpening(era: SpokenEra, written: Value | undefined): OpeningPlan {
  const isNamed = typeof written === 'string' && written !== '' && written !== usualVersion;
  const version = isNamed ? written : mcp2026;
  if (era !== 'both') return { how: era === 'modern' ? 'discover' : 'handshake', version };
  if (!isNamed) return { how: 'probe', version };
  return { how: /^\d{4}-\d\d-\d\d$/.test(version) && version >= mcp2026 ? 'discover' : 'handshake', version };
}

/** Error codes of a server that knows no handshake. */
const knowsNoHandshake: ReadonlySet<unknown> = new Set([mcp2026Error.unsupportedVersion, -32601]);

export function isRefusedHandshake(answer: Answer): boolean {
  return answer.kind === 'error' && isValueMap(answer.error) && knowsNoHandshake.has(answer.error.code);
}

/** The version without sessions in which a server wants to be asked again; a refusal may even name ours. */
export function findVersionToRetry(answer: Answer, ours: string): string | undefined {
  const named = readServerVersions(answer) ?? [];
  if (named.includes(ours)) return answer.kind === 'error' ? ours : undefined;
  return named.find((each) => each >= mcp2026);
}

/** Tells whether an answer to `server/discover` is valid and offers a version that we speak. */
export function isDiscovered(answer: Answer, ours: string): boolean {
  return (
    answer.kind === 'result' && (readServerVersions(answer) ?? []).some((each) => each >= mcp2026 || each === ours)
  );
}

function readServerVersions(answer: Answer): readonly string[] | undefined {
  if (answer.kind === 'result')
    return isValueMap(answer.result) ? readTexts(answer.result.supportedVersions) : undefined;
  if (!isValueMap(answer.error) || answer.error.code !== mcp2026Error.unsupportedVersion) return undefined;
  const { data } = answer.error;
  return isValueMap(data) ? readTexts(data.supported) : undefined;
}

function readTexts(list: Value | undefined): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : undefined;
}
