import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { isSelective } from '../../../suite/library/filters.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';
import { selectDocuments } from '../../library/select-documents.ts';
import type { RunValues } from '../settings/layers.ts';
import { type LoadedDocuments, loadDocuments } from './load-documents.ts';
import { findPlannedSources, type ResumedRun } from './resume.ts';

/** The documents of a run: those that were named, the library, or those of a resumed run. */
export async function loadRunDocuments(
  values: RunValues,
  resumed: ResumedRun | undefined,
  io: Io,
): Promise<LoadedDocuments | CommandOutcome> {
  const isNamed = values.documents.length > 0 || isSelective(values);
  if (!isNamed && resumed !== undefined) return loadDocuments(findPlannedSources(resumed, io), io, values);
  if (!isNamed && values.agent.length === 0)
    return complain(
      io,
      'usage',
      'run: no documents are given',
      typeof values.stdio === 'string'
        ? `--stdio takes an actor; a document stands before it, as in oatf run ${escapeInvisible(values.stdio)} --stdio`
        : 'name files, folders or ids of the library; with --agent, leaving them out means the whole library',
    );
  const selected = await selectDocuments(values.documents, values, io);
  if (selected.kind === 'failed') return selected.outcome;
  if (selected.sources.length === 0)
    return complain(io, 'usage', 'run: no document passes the filters', 'oatf list shows what there is');
  return loadDocuments(selected.sources, io, values);
}
