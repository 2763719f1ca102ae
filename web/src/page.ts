import {
  blockIds,
  type Directory,
  type DocumentPart,
  type MessagesPart,
  type PageIndex,
  partIds,
  type RunPart,
} from '../../src/report/html/page-data.ts';

/** The source of the page's data: the page itself, or the server of a running suite. */
export interface Pages {
  document(number: number): Promise<DocumentPart>;
  run(number: number): Promise<RunPart>;
  messages(run: number, part: number): Promise<MessagesPart>;
}

const indexElement = document.getElementById(partIds.index);

export function readIndex(): PageIndex {
  return JSON.parse(indexElement?.textContent ?? '');
}

/** Whether the page shows a running suite. */
export const isLive = indexElement?.hasAttribute('data-live') ?? false;

const mostKept = 24;

/** Parts are unpacked or fetched when needed; the last few are cached. */
export function openPages(): Pages {
  const get = isLive ? ask : unpack;
  const kept = new Map<string, Promise<unknown>>();
  function part<T>(id: string): Promise<T> {
    let found = kept.get(id) as Promise<T> | undefined;
    if (found === undefined) {
      found = get<T>(id);
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(id, found);
    }
    return found;
  }
  return {
    document: (number) => part(partIds.document(number)),
    run: (number) => part(partIds.run(number)),
    messages: (run, number) => part(partIds.messages(run, number)),
  };
}

async function ask<T>(id: string): Promise<T> {
  const response = await fetch(id);
  if (!response.ok) throw new Error(`the report has no part ${id}`);
  return response.json();
}

/** Calls `more` with the whole index whenever it has grown. */
export function watch(more: (index: PageIndex) => void, gone: () => void): void {
  const events = new EventSource('events');
  let asking = false;
  events.onmessage = async () => {
    if (asking) return;
    asking = true;
    try {
      more(await ask<PageIndex>(partIds.index));
    } finally {
      asking = false;
    }
  };
  events.onerror = () => {
    events.close();
    gone();
  };
}

async function unpack<T>(id: string): Promise<T> {
  const text = await packed(id);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

let directory: Directory | undefined;

/** The page works before it is fully loaded, so a requested part may not be there yet. */
async function packed(id: string): Promise<string> {
  if (document.readyState === 'loading')
    await new Promise((loaded) => document.addEventListener('DOMContentLoaded', loaded, { once: true }));
  const textOf = (element: string): string => document.getElementById(element)?.textContent ?? '';
  directory ??= JSON.parse(textOf(blockIds.directory)) as Directory;
  const place = Object.hasOwn(directory, id) ? directory[id] : undefined;
  if (place === undefined) throw new Error(`the report has no part ${id}`);
  const [block, from, to] = place;
  return textOf(blockIds.block(block)).slice(from, to);
}
