import type { DocumentSource } from '../../catalogue/find-documents.ts';
import type { NormalizedActor, NormalizedAttack, NormalizedDocument } from '../../model/normalized.ts';
import { extractProtocol } from '../../primitives/extract-protocol.ts';
import { modeInWords } from '../../registry/modes.ts';
import { wrap } from '../../report/width.ts';
import { factsOf } from '../explain/document.ts';
import { brief } from '../explain/words.ts';
import type { Sink } from '../io.ts';
import { type Page, pageOn, prose, row } from '../terminal/page.ts';
import { titleOf } from '../verdict/text.ts';

/** A document as a catalogue page: what it is, not how it is played. */
export function showDocument(document: NormalizedDocument, source: DocumentSource, sink: Sink): string {
  const { attack } = document;
  const page = pageOn(sink, 12);
  const { colours, width } = page;
  const { actors } = attack.execution;
  const protocols = [...new Set(actors.map(({ mode }) => extractProtocol(mode)))];
  const facts = [
    ...rows('Protocols', [protocols.join(', ')], page),
    ...rows('Actors', actors.map(actorInWords), page),
    ...rows('Succeeds', successInWords(attack), page),
    ...rows('Mappings', mappingsInWords(attack), page),
    ...rows('References', referencesInWords(attack), page),
    ...rows('Author', [attack.author ?? ''], page),
    ...rows('File', [source.kind === 'file' ? source.path : source.name], page),
  ];
  return [
    `${colours.bold(titleOf(document))}\n${colours.dim(wrap(factsOf(attack), width))}\n`,
    ...(attack.description === undefined ? [] : [prose(attack.description, page)]),
    facts.join(''),
    ...(sink.isTTY && source.kind === 'file'
      ? [colours.dim(`oatf explain ${source.name} says how it goes, phase by phase\n`)]
      : []),
  ].join('\n');
}

/** The texts under one label, each on its own lines. */
function rows(label: string, texts: readonly string[], page: Page): readonly string[] {
  return texts.filter(Boolean).map((text, index) => row(index === 0 ? label : '', text, page));
}

function actorInWords({ name, mode, phases }: NormalizedActor): string {
  const steps = phases.length === 1 ? '' : `; phases ${phases.map((phase) => phase.name).join(' → ')}`;
  return `${name}: ${mode}, ${modeInWords(mode).meets}${steps}`;
}

function successInWords({ indicators = [], correlation }: NormalizedAttack): readonly string[] {
  if (indicators.length === 0) return ['nothing says when: the document has no indicators'];
  const head =
    indicators.length === 1
      ? 'when this holds'
      : correlation?.logic === 'all'
        ? 'when all of these hold'
        : 'when any of these holds';
  return [
    head,
    ...indicators.map(({ id, tier, description }) => {
      const about = description === undefined ? '' : `: ${brief(description)}`;
      return `${id}${tier === undefined ? '' : ` (${tier})`}${about}`;
    }),
  ];
}

function mappingsInWords({ classification }: NormalizedAttack): readonly string[] {
  return (classification?.mappings ?? []).map(({ framework, id, name, url, relationship }) =>
    [framework, id, name, `(${relationship})`, url].filter(Boolean).join(' '),
  );
}

function referencesInWords({ references = [] }: NormalizedAttack): readonly string[] {
  return references.map(({ title, url }) => [title, url].filter(Boolean).join(' '));
}
