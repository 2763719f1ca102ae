import { format } from '../../document/format.ts';
import { writeValue } from '../../document/write-value.ts';
import { loadMarked } from '../../load-marked.ts';
import type { Protocol } from '../../model/enumerations.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { modeOf } from '../../registry/modes.ts';
import { protocolTitle } from '../../registry/protocols.ts';
import { redactorFor } from '../../secrets/redactor.ts';
import type { Recording } from './exchange.ts';
import { a2aState, mcpState } from './states.ts';
import { wireRules } from './wire-rules.ts';

export interface Written {
  readonly ok: true;
  readonly text: string;
  readonly state: ValueMap;
  /** Whether something in it looked like a secret. */
  readonly covered: boolean;
}

export type WrittenRecording = Written | { readonly ok: false; readonly reason: string };

/** The document that plays the recording: secrets masked, and double braces escaped. */
export function writeRecording(
  recording: Recording,
  protocol: Protocol,
  { id, showSecrets }: { readonly id: string; readonly showSecrets: boolean },
): WrittenRecording {
  const rules = wireRules(recording, protocol);
  const seen = {
    state: protocol === 'a2a' ? a2aState(recording) : mcpState(recording),
    ...(rules.length > 0 && { 'x-wire': rules }),
  };
  const covered = redactorFor(showSecrets).value(seen) as typeof seen;
  const execution = withoutTemplates(covered) as typeof seen;
  // A name is never read as a template, so it is not escaped.
  const name = nameOf(covered.state);
  const document: Value = {
    oatf: '0.1',
    attack: {
      id,
      name: `${name}, recorded`,
      description: `What ${name} offered, and how it answered when it was recorded. oatf poison can put an attack into it.`,
      execution: { mode: modeOf(protocol, 'server'), ...execution },
    },
  };
  const written = format(writeValue(document));
  const loaded = written.ok ? loadMarked(written.text) : written;
  if (!written.ok || !loaded.ok)
    return {
      ok: false,
      reason: `the answers of the ${protocolTitle(protocol)} server do not make a valid document: ${loaded.ok ? '' : loaded.errors[0]?.message}`,
    };
  return {
    ok: true,
    text: written.text,
    state: execution.state,
    covered: JSON.stringify(covered) !== JSON.stringify(seen),
  };
}

function nameOf({ server_info, agent_card }: ValueMap): string {
  for (const named of [server_info, agent_card])
    if (isValueMap(named) && typeof named.name === 'string' && named.name.trim() !== '')
      return named.name.slice(0, 80);
  return 'a server';
}

/** `{{` in a server's text must not be filled in when the document is played. */
function withoutTemplates(value: Value): Value {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return value.map((item) => withoutTemplates(item as Value));
  if (!isValueMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTemplates(item)]));
}
