import { markedValue } from '../../marks/read-marks.ts';
import type { Mark } from '../../model/marks.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { visible } from '../../report/visible.ts';
import { type Page, row } from '../terminal/page.ts';
import { quote } from './words.ts';

const indent = '     ';

/** The places of the attack, and what the benign twin has instead. */
export function describeMarks(
  document: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  page: Page,
): string {
  if (marks === undefined)
    return 'It does not say which parts are the attack: the document has no marks (x-payload).\n';
  const head = `${page.colours.bold('The attack is at')}\n`;
  return head + marks.map((mark) => describeMark(document, mark, page)).join('');
}

function describeMark(document: NormalizedDocument, mark: Mark, page: Page): string {
  const { actor, phase, at, benign, needed } = mark;
  const owner = `${visible(actor)}, ${visible(phase)}`;
  const value = markedValue(document, mark);
  return (
    `  ${page.colours.cyan(visible(at))}  ${page.colours.dim(`${owner}${needed ? '' : ', not needed'}`)}\n` +
    `${row('says', value === undefined ? 'nothing' : quote(value), page, indent)}` +
    `${row('in twin', benign === undefined ? 'removed' : quote(benign), page, indent)}`
  );
}
