import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { Sink } from '../io.ts';

export interface DoctorFinding {
  /** The subject: the machine, the configuration, or the name of a target. */
  readonly about: string;
  /** `note` is worth knowing, but is not necessarily a problem. */
  readonly status: 'ok' | 'note' | 'wrong';
  readonly says: string;
  readonly advice?: string;
}

export type FindingMaker = (status: DoctorFinding['status'], says: string, advice?: string) => DoctorFinding;

export function createFindingMaker(about: string): FindingMaker {
  return (status, says, advice) => ({ about, status, says, ...(advice !== undefined && { advice }) });
}

/** Findings grouped by subject, in order; `before` is the subject of the text before. */
export function formatFindings(
  findings: readonly DoctorFinding[],
  before: string | undefined,
  { colours }: Pick<Sink, 'colours'>,
): string {
  const marks = { ok: colours.green('ok  '), note: colours.yellow('note'), wrong: colours.red('wrong') };
  const lines: string[] = [];
  let about = before ?? '';
  for (const finding of findings) {
    if (finding.about !== about)
      lines.push(...(about === '' ? [] : ['']), colours.bold(escapeInvisible(finding.about)));
    about = finding.about;
    lines.push(`  ${marks[finding.status]}${finding.status === 'wrong' ? '' : ' '} ${escapeInvisible(finding.says)}`);
    if (finding.advice !== undefined) lines.push(`        ${colours.cyan('→')} ${escapeInvisible(finding.advice)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
