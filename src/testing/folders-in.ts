import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { failureOf } from '../catalogue/failure.ts';
import { visible } from '../report/visible.ts';
import { makeFolder } from '../suite/make-folder.ts';
import type { SuitePlan } from '../suite/plan.ts';
import { ResultsFolder } from '../suite/results.ts';
import type { OpenSink } from '../suite/sink.ts';
import { ownerOnly } from '../suite/trace-file.ts';
import { NotAttacked } from './not-attacked.ts';

/** Stores the runs of each call in a new folder within `out`. */
export function foldersIn(out: string): { readonly open: OpenSink; path(): string | undefined } {
  let path: string | undefined;
  return {
    open(plan, texts) {
      try {
        path = freshFolder(out, plan);
        return ResultsFolder.begin(path, plan, texts);
      } catch (thrown) {
        throw new NotAttacked(`out: no results can be stored in ${visible(out)}: ${failureOf(thrown)}`);
      }
    },
    path: () => path,
  };
}

/** Gives each call a folder of its own, because tests run repeatedly and in parallel. */
function freshFolder(out: string, { started, documents }: SuitePlan): string {
  const [first] = documents;
  const what = documents.length === 1 && first !== undefined ? `-${fileName(first.key)}` : '';
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

function fileName(key: string): string {
  return key.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80);
}
