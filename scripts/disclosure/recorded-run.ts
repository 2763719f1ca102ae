import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { randomFrom } from '../fuzz/random.ts';

/** A run of the recorded corpus. */
export interface RecordedRun {
  /** The model, the document and the number of the run: `claude-haiku-4-5/OATF-001/0`. */
  readonly id: string;
  readonly model: string;
  readonly document: string;
  readonly events: readonly RecordedEvent[];
  /** What the agent said to its user. */
  readonly words: string;
}

export interface RecordedEvent {
  readonly method: string;
  readonly content: { readonly delta?: string };
}

interface RecordedFile {
  readonly shared_prefix: readonly RecordedEvent[];
  readonly groups: readonly { readonly run_indices: readonly number[]; readonly events: readonly RecordedEvent[] }[];
}

/** Reads the runs of a corpus: traces/MODEL/ID.json, in the order of models, documents and runs. */
export function readRecordedRuns(folder: string): readonly RecordedRun[] {
  return readdirSync(join(folder, 'traces'))
    .toSorted()
    .flatMap((model) =>
      readdirSync(join(folder, 'traces', model))
        .toSorted()
        .flatMap((file) => readRunsOfFile(join(folder, 'traces', model, file), model)),
    );
}

function readRunsOfFile(path: string, model: string): readonly RecordedRun[] {
  const document = basename(path, '.json');
  const { shared_prefix, groups } = JSON.parse(readFileSync(path, 'utf8')) as RecordedFile;
  return groups
    .flatMap(({ run_indices, events }) => run_indices.map((number) => ({ number, events })))
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, events }) => {
      const all = [...shared_prefix, ...events];
      const said = all.filter(({ method }) => method === 'text_message_content');
      const words = said.map(({ content }) => content.delta ?? '').join('');
      return { id: `${model}/${document}/${number}`, model, document, events: all, words };
    });
}

/**
 * Draws runs with words to the user: one of each model and document, then second ones in a random order, until there are
 * enough. The seed decides all choices.
 */
export function drawRuns(runs: readonly RecordedRun[], count: number, seed: number): readonly RecordedRun[] {
  const random = randomFrom(seed);
  const cells = new Map<string, RecordedRun[]>();
  for (const run of runs.filter(({ words }) => words.trim() !== '')) {
    const key = `${run.model}/${run.document}`;
    cells.set(key, [...(cells.get(key) ?? []), run]);
  }
  const drawn: RecordedRun[] = [];
  while (drawn.length < count && cells.size > 0) {
    const open = [...cells.keys()];
    while (open.length > 0 && drawn.length < count) {
      const [key = ''] = open.splice(random.int(open.length), 1);
      const left = cells.get(key) ?? [];
      drawn.push(...left.splice(random.int(left.length), 1));
      if (left.length === 0) cells.delete(key);
    }
  }
  return drawn;
}
