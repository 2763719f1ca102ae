import { readMarkedValue } from '../../format/extensions/read-marks.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { formatLabelledRow, type Page } from '../terminal/page.ts';
import { quoteBriefly } from './describe-parts.ts';

const indent = '     ';

/** The marks of the attack, each with its honest value. */
export function describeMarks(document: NormalizedDocument, marks: readonly Mark[] | undefined, page: Page): string {
  if (marks === undefined)
    return 'It does not say which parts are the attack: the document has no marks (x-payload).\n';
  const head = `${page.colours.bold('The attack is at')}\n`;
  return head + marks.map((mark) => describeMark(document, mark, page)).join('');
}

function describeMark(document: NormalizedDocument, mark: Mark, page: Page): string {
  const { actor, phase, at, benign, needed } = mark;
  const owner = `${escapeInvisible(actor)}, ${escapeInvisible(phase)}`;
  const value = readMarkedValue(document, mark);
  return (
    `  ${page.colours.cyan(escapeInvisible(at))}  ${page.colours.dim(`${owner}${needed ? '' : ', not needed'}`)}\n` +
    `${formatLabelledRow('says', value === undefined ? 'nothing' : quoteBriefly(value), page, indent)}` +
    `${formatLabelledRow('in twin', benign === undefined ? 'removed' : quoteBriefly(benign), page, indent)}`
  );
}
