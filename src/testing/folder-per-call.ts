import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFileFailure } from '../files/file-failure.ts';
import { ownerOnly } from '../files/stored-file.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { SuitePlan } from '../suite/plan/plan.ts';
import { makeFolder } from '../suite/play/make-folder.ts';
import { ResultsFolder } from '../suite/store/results-folder.ts';
import type { OpenSuiteSink } from '../suite/store/run-sink.ts';
import { NotAttacked } from './not-attacked.ts';

/** Stores the runs of each call in a new folder within `out`. */
export function createFolderPerCall(out: string): {
  readonly open: OpenSuiteSink;
  path(): string | undefined;
} {
  let path: string | undefined;
  return {
    open(plan, texts) {
      try {
        path = createFreshFolderName(out, plan);
        return ResultsFolder.begin(path, plan, texts);
      } catch (thrown) {
        throw new NotAttacked(
          `out: no results can be stored in ${escapeInvisible(out)}: ${describeFileFailure(thrown)}`,
        );
      }
    },
    path: () => path,
  };
}

/** Gives each call a folder of its own, because tests run repeatedly and in parallel. */
function createFreshFolderName(out: string, { started, documents }: SuitePlan): string {
  const [first] = documents;
  const what = documents.length === 1 && first !== undefined ? `-${toFileName(first.key)}` : '';
  const base = resolve(out, `${started.replace(/[:.]/g, '-')}${what}`);
  makeFolder(out, ownerOnly.folder);
  for (let count = 2, folder = base; ; folder = `${base}-${count++}`) if (isTaken(folder)) return folder;
}

/** Tries to create the folder. Creating it is the check: another process may try the same name at the same moment. */
function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: ownerOnly.folder });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

function toFileName(key: string): string {
  return key.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80);
}
