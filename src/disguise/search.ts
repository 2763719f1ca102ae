import { disguises } from './disguises.ts';
import type { Found, LookedFor } from './looked-for.ts';

// Texts are hostile: a long one is gone through part by part, each part gives a bounded number of readings, and all of it
// together has its time.

/** A part of a long text, and what it shares with the next one. */
const partLength = 64 * 1024;
export const overlap = 1024;
/** Disguises on top of each other. */
const mostLayers = 3;
const mostReadings = 96;

/** What no word looks like. */
const encoded = /[A-Za-z0-9+/_=%&#;\\-]{12}/;

/** What was found, and the disguises that it was found behind, the outermost first. */
export interface Sight {
  readonly found: Found;
  readonly disguises: readonly string[];
}

interface Reading {
  readonly text: string;
  readonly layers: readonly string[];
}

/** Looks behind every disguise of a text; `isLate` ends the search. */
export function search(text: string, lookFor: LookedFor, isLate: () => boolean): Sight | undefined {
  for (let from = 0; from === 0 || from < text.length - overlap; from += partLength - overlap) {
    const seen = searchPart(text.slice(from, from + partLength), lookFor, isLate);
    if (seen !== undefined || isLate()) return seen;
  }
  return undefined;
}

function searchPart(text: string, lookFor: LookedFor, isLate: () => boolean): Sight | undefined {
  const readings: Reading[] = [{ text, layers: [] }];
  const known = new Set([text]);
  for (const { text: read, layers } of readings) {
    if (isLate()) return undefined;
    const found = lookFor.in(read, layers.length === 0);
    if (found !== undefined)
      return { found, disguises: found.as === undefined ? layers : [...layers, found.as] };
    if (layers.length === mostLayers) continue;
    for (const { name, undo, turns } of disguises) {
      if (readings.length >= mostReadings) break;
      // What is only turned around is found without; what is encoded may have been turned around behind that.
      if (turns && (layers.length > 0 || (lookFor.isTurned && !encoded.test(read)))) continue;
      for (const undone of undo(read, lookFor.shortest)) {
        if (known.has(undone)) continue;
        known.add(undone);
        readings.push({ text: undone, layers: [...layers, name] });
      }
    }
  }
  return undefined;
}
