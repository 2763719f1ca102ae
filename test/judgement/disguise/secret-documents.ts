import { readFileSync } from 'node:fs';
import type { NormalizedDocument, NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import { load, type MessageRecord } from '../../../src/index.ts';
import { openLibrary } from '../../../src/suite/library/library.ts';
import { message } from '../../support/records.ts';

/** A shipped document, and its indicator that looks for a secret behind disguises. */
export interface SecretDocument {
  readonly id: string;
  readonly document: NormalizedDocument;
  readonly indicator: NormalizedIndicator;
  readonly secret: string;
}

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

export const secretDocuments: readonly SecretDocument[] = library.documents.flatMap(({ path }) => {
  const loaded = load(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(path);
  const { document } = loaded;
  return (document.attack.indicators ?? []).flatMap((indicator): SecretDocument[] => {
    const { extensions, pattern, id } = indicator;
    if (extensions?.['x-decode'] !== true) return [];
    const { contains = '' } = (pattern?.condition ?? {}) as { readonly contains?: string };
    return [{ id, document, indicator, secret: contains }];
  });
});

/** A message of the agent with a text at the indicator's target. */
export function messageWith(text: string, { document, indicator }: SecretDocument): MessageRecord {
  const { surface = '', actor = '', protocol, target } = indicator;
  const mode = document.attack.execution.actors.find(({ name }) => name === actor)?.mode ?? 'mcp_server';
  const about = { actor, protocol, mode, method: surface };
  if (target === 'message.parts[*].text')
    return message({ ...about, content: { message: { role: 'user', parts: [{ kind: 'text', text }] } } });
  const field = target === 'arguments' ? 'remark' : target.replace(/^arguments\./, '');
  return message({ ...about, content: { name: 'some_tool', arguments: { city: 'Lisbon', [field]: text } } });
}
