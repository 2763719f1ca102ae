import type { Mark } from '../model/document-mark.ts';
import type { Path } from '../model/path.ts';
import { createFinding, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';

/** Finds overlapping marks. Two marks overlap if one points at the other's value or into it. */
export function* findOverlaps(marks: ReadonlyMap<number, Mark>, path: Path): Generator<RuleFinding> {
  const places = new Map<string, number>();
  const placeOf = ({ actor, phase }: Mark, pointer: string): string => JSON.stringify([actor, phase, pointer]);
  for (const [index, mark] of marks) {
    const place = placeOf(mark, mark.at);
    if (!places.has(place)) places.set(place, index);
  }
  for (const [index, mark] of marks) {
    for (let end = mark.at.indexOf('/', 1); ; end = mark.at.indexOf('/', end + 1)) {
      const pointer = end < 0 ? mark.at : mark.at.slice(0, end);
      const other = places.get(placeOf(mark, pointer));
      if (other !== undefined && other !== index) {
        yield createFinding(
          [...path, index, 'at'],
          `${quoteValue(mark.at)} stands within ${quoteValue(pointer)}, which mark ${other + 1} of the list marks already`,
          'leave one of them out',
        );
        break;
      }
      if (end < 0) break;
    }
  }
}
