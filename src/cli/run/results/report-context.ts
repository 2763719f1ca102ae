import { readStored } from '../../../files/stored-file.ts';
import { readDocumentText } from '../../../format/document/parse.ts';
import { load } from '../../../format/load.ts';
import type { IndicatorFacts, ReportContext } from '../../../report/reporter.ts';
import { selectRedactor } from '../../../secrets/redactor.ts';

/** The files of their own folder that results may name. */
const ownDocument = /^documents\/[^/\\]+$/;

/** The facts in a results folder that `results.json` does not contain. */
export function createReportContext(folder: string, showSecrets: boolean): ReportContext {
  const kept = new Map<string, readonly IndicatorFacts[]>();
  return {
    showSecrets,
    redactor: selectRedactor(showSecrets),
    folder,
    indicators({ source = '' }) {
      const known = kept.get(source);
      if (known !== undefined) return known;
      const found = ownDocument.test(source) ? readIndicatorFacts(folder, source) : [];
      kept.set(source, found);
      return found;
    },
  };
}

function readIndicatorFacts(folder: string, name: string): readonly IndicatorFacts[] {
  const text = readTextOrNothing(folder, name);
  const loaded = text === undefined ? undefined : load(text);
  if (text === undefined || !loaded?.ok) return [];
  const { locate, positions } = readDocumentText(text);
  return (loaded.document.attack.indicators ?? []).map(({ id, tier, description }, index) => {
    const { from, to } = locate(['attack', 'indicators', index]);
    return {
      id,
      ...(tier !== undefined && { tier }),
      ...(description !== undefined && { description }),
      range: positions(from, to),
    };
  });
}

function readTextOrNothing(folder: string, name: string): string | undefined {
  try {
    return readStored(folder, name);
  } catch {
    return undefined;
  }
}
