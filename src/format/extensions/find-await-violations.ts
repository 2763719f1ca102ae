import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import { awaitKey } from '../model/extension-keys.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { types } from '../registry/fields.ts';
import { listActorPlaces } from '../validate/document-parts.ts';
import { createFinding, quoteValue, type RuleFinding, suggestKey } from '../validate/rule-finding.ts';

const names = Object.keys(types.Await.fields);

/**
 * Finds violations of the `x-await` rule (O-206) in a document that is otherwise valid. The SDK's `validate` does not check
 * it.
 */
export function* findAwaitViolations(document: Draft<Document>): Generator<RuleFinding> {
  const actors = listActorPlaces(document);
  const extractorsOf = new Map(
    actors.map(({ name, phases }) => [
      name,
      phases.flatMap(({ phase }) => (phase.extractors ?? []).flatMap((each) => each.name ?? [])),
    ]),
  );
  for (const { name: own = '', phases } of actors)
    for (const { phase, path } of phases) {
      const written = phase.extensions?.[awaitKey] as Value | undefined;
      if (written === undefined) continue;
      const here = [...path, awaitKey];
      if (!Array.isArray(written) || written.length === 0) {
        yield createFinding(here, 'expected a list of waits', `such as [{ actor: ${own}, extractors: [name] }]`);
        continue;
      }
      for (const [index, entry] of (written as readonly Value[]).entries())
        yield* findAwaitFlaws(entry, [...here, index], own, extractorsOf);
    }
}

function* findAwaitFlaws(
  entry: Value,
  path: Path,
  own: string,
  extractorsOf: ReadonlyMap<string | undefined, readonly string[]>,
): Generator<RuleFinding> {
  if (!isValueMap(entry)) {
    yield createFinding(path, 'expected a mapping', 'such as { actor: NAME, extractors: [name], within: 30s }');
    return;
  }
  for (const key of Object.keys(entry))
    if (!names.includes(key))
      yield createFinding([...path, key], `unknown field ${quoteValue(key)}`, guessKey(key, names));
  const { actor = own, extractors, within } = entry;
  const isTime = typeof within === 'string' && typeof parseDuration(within) === 'number';
  if (within !== undefined && !isTime)
    yield createFinding([...path, 'within'], `${quoteValue(within)} is not a duration`, 'write 30s, 5m or PT30S');
  const known = typeof actor === 'string' ? extractorsOf.get(actor) : undefined;
  if (known === undefined) {
    const others = [...extractorsOf.keys()].flatMap((name) => name ?? []);
    yield createFinding([...path, 'actor'], `no actor is named ${quoteValue(actor)}`, guessKey(String(actor), others));
    return;
  }
  if (!Array.isArray(extractors) || extractors.length === 0) {
    const place = extractors === undefined ? path : [...path, 'extractors'];
    yield createFinding(place, '`extractors` must be a list of names', `such as [${known.join(', ') || 'name'}]`);
    return;
  }
  for (const [index, name] of (extractors as readonly Value[]).entries())
    if (typeof name !== 'string' || !known.includes(name))
      yield createFinding(
        [...path, 'extractors', index],
        `no phase of ${quoteValue(actor)} has an extractor named ${quoteValue(name)}`,
        guessKey(String(name), known),
      );
}

function guessKey(key: string, known: readonly string[]): string | undefined {
  return suggestKey(key, known, known.length === 0 ? undefined : `it can be ${known.join(', ')}`);
}
