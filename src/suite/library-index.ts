import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSummary, Summarized } from './document-summary.ts';
import { packageFolder } from './library.ts';

/** The build writes this file: summaries of the shipped documents, so that listing them need not parse each. */
const place = join('dist', 'library.json');

/** Summaries by the hash of a document's text, so that a document that has changed since is not found. */
export type LibraryIndex = { readonly [hash: string]: DocumentSummary };

/** Makes a function that summarizes documents; most of the shipped ones need no parsing. */
export function summarizer(index: LibraryIndex = readIndex()): (text: string) => Promise<Summarized> {
  return async (text) => {
    const hash = hashOf(text);
    const summary = Object.hasOwn(index, hash) ? index[hash] : undefined;
    if (summary !== undefined) return { ok: true, summary };
    const { summarizeDocument } = await import('./document-summary.ts');
    return summarizeDocument(text);
  };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function readIndex(): LibraryIndex {
  const folder = packageFolder();
  try {
    return folder === undefined ? {} : JSON.parse(readFileSync(join(folder, place), 'utf8'));
  } catch {
    // Without a build there is no index, and every document is parsed.
    return {};
  }
}
