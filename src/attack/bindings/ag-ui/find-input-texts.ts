import type { Path } from '../../../format/model/path.ts';
import { isCollection, type Value, type ValueMap } from '../../../format/model/value.ts';

// Finds texts of our run input in the input that a run repeats and in raw events of its framework, in any shape.

const mostVisited = 10_000;
const deepest = 64;
/** Shorter texts occur in others by chance. */
const telling = 8;

/** The paths at which a value holds a text of the input: alone, within a longer text, or in part. */
export function findInputTexts(root: Value, at: Path, input: ValueMap): readonly Path[] {
  const ours = [...walkInputLeaves(input)].map(({ value }) => value);
  const known = new Set(ours);
  const texts = ours.flatMap((value) => (typeof value === 'string' ? value.trim() : []));
  const telltale = texts.filter((text) => text.length >= telling);
  const isPart = (value: string): boolean =>
    telltale.some((text) => value.includes(text) || (value.length >= telling && text.includes(value)));
  return [...walkInputLeaves(root, at)].flatMap(({ value, path }) =>
    known.has(value) || (typeof value === 'string' && isPart(value.trim())) ? [path] : [],
  );
}

interface Leaf {
  readonly value: Value;
  readonly path: Path;
}

function* walkInputLeaves(root: Value, at: Path = []): Generator<Leaf> {
  const pending: Leaf[] = [{ value: root, path: at }];
  for (let visits = 0; visits < mostVisited; visits++) {
    const next = pending.pop();
    if (next === undefined) return;
    const { value, path } = next;
    if (!isCollection(value)) yield next;
    else if (path.length - at.length < deepest)
      for (const [key, item] of Object.entries(value).slice(0, mostVisited))
        pending.push({ value: item as Value, path: [...path, Array.isArray(value) ? Number(key) : key] });
  }
}
