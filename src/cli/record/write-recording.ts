import { formatDocument } from '../../format/document/format.ts';
import { writeValue } from '../../format/document/write-yaml.ts';
import { loadMarked } from '../../format/load-marked.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { wireKey } from '../../format/model/extension-keys.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { composeMode } from '../../format/registry/known-modes.ts';
import { formatProtocolTitle } from '../../format/registry/protocols.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import type { Recording } from './recorded-exchange.ts';
import { buildA2aState, buildMcpState, createRecordedWireRules } from './recorded-states.ts';

export interface RecordingText {
  readonly ok: true;
  readonly text: string;
  readonly state: ValueMap;
  /** Whether something in it looked like a secret. */
  readonly covered: boolean;
}

export type WrittenRecording = RecordingText | { readonly ok: false; readonly reason: string };

/** The document that plays the recording: secrets masked, and double braces escaped. */
export function writeRecording(
  recording: Recording,
  protocol: Protocol,
  { id, showSecrets }: { readonly id: string; readonly showSecrets: boolean },
): WrittenRecording {
  const rules = createRecordedWireRules(recording, protocol);
  const seen = {
    state: protocol === 'a2a' ? buildA2aState(recording) : buildMcpState(recording),
    ...(rules.length > 0 && { [wireKey]: rules }),
  };
  const covered = selectRedactor(showSecrets).value(seen) as typeof seen;
  const execution = escapeTemplates(covered) as typeof seen;
  // A name is never read as a template, so it is not escaped.
  const name = readServerName(covered.state);
  const document: Value = {
    oatf: '0.1',
    attack: {
      id,
      name: `${name}, recorded`,
      description: `What ${name} offered, and how it answered when it was recorded. oatf poison can put an attack into it.`,
      execution: { mode: composeMode(protocol, 'server'), ...execution },
    },
  };
  const written = formatDocument(writeValue(document));
  const loaded = written.ok ? loadMarked(written.text) : written;
  if (!written.ok || !loaded.ok)
    return {
      ok: false,
      reason: `the answers of the ${formatProtocolTitle(protocol)} server do not make a valid document: ${loaded.ok ? '' : loaded.errors[0]?.message}`,
    };
  return {
    ok: true,
    text: written.text,
    state: execution.state,
    covered: JSON.stringify(covered) !== JSON.stringify(seen),
  };
}

function readServerName({ server_info, agent_card }: ValueMap): string {
  for (const named of [server_info, agent_card])
    if (isValueMap(named) && typeof named.name === 'string' && named.name.trim() !== '') return named.name.slice(0, 80);
  return 'a server';
}

/** `{{` in a server's text must not be filled in when the document is played. */
function escapeTemplates(value: Value): Value {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return value.map((item) => escapeTemplates(item as Value));
  if (!isValueMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeTemplates(item)]));
}
