import {
  getOwnRuleSeverity,
  getRuleSeverity,
  normalizationSteps,
  type RuleId,
  rules,
} from '../../format/registry/rules.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { cropEnd, wrap } from '../../report/text-width.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import { type ExplainedCode, explainedCodes, findSpecClause, ownRules, readExplanation } from '../explanations.ts';
import { complain, type Io, type Sink } from '../io.ts';

const widest = 90;

export async function explainEvery(json: boolean, io: Io): Promise<CommandOutcome> {
  await io.stdout.write(json ? toJson(explainedCodes.map(collectCodeFacts)) : list(io.stdout));
  return ok;
}

export async function explainCode(asked: string, json: boolean, io: Io): Promise<CommandOutcome> {
  const code = explainedCodes.find((each) => each.toLowerCase() === asked.toLowerCase());
  if (code === undefined) {
    const near = findNearestCodes(asked, explainedCodes);
    const hint = near.length === 0 ? 'oatf explain lists every code' : `did you mean ${near.join(', ')}?`;
    return complain(
      io,
      'usage',
      `explain: there is no code "${asked}", and no document of the library mentions it`,
      hint,
    );
  }
  await io.stdout.write(json ? toJson(collectCodeFacts(code)) : describe(code, io.stdout));
  return ok;
}

function toJson(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}

/** All that is known of a code; the site makes a page of it. */
export function collectCodeFacts(code: ExplainedCode) {
  return {
    code,
    kind: classifyCode(code),
    clause: findSpecClause(code),
    ...findRequirement(code),
    ...readExplanation(code),
  };
}

function classifyCode(code: ExplainedCode): 'error' | 'warning' | 'normalization' {
  if (code.startsWith('N-')) return 'normalization';
  if (isRule(code)) return getRuleSeverity(code);
  return isOwnRule(code) ? getOwnRuleSeverity(code) : 'error';
}

function isOwnRule(code: ExplainedCode): code is keyof typeof ownRules {
  return Object.hasOwn(ownRules, code);
}

function isRule(code: ExplainedCode): code is RuleId {
  return Object.hasOwn(rules, code);
}

function findRequirement(code: ExplainedCode): { readonly asks?: string } {
  if (isRule(code)) return { asks: rules[code].asks };
  if (isOwnRule(code)) return { asks: ownRules[code].asks };
  const steps: { readonly [code: string]: string } = normalizationSteps;
  const step = steps[code];
  return step === undefined ? {} : { asks: step };
}

const groups = [
  ['Rules', (code: string) => code.startsWith('V-')],
  ['Rules of this tool, for requirements of the format that have no id', (code: string) => code.startsWith('O-')],
  ['Warnings', (code: string) => code.startsWith('W-')],
  ['Steps of normalization', (code: string) => code.startsWith('N-')],
  ['Parsing', (code: string) => !code.includes('-')],
] as const;

function list({ colours, columns }: Sink): string {
  const sorted = explainedCodes.toSorted();
  const sections = groups.map(([title, belongs]) => {
    const rows = sorted.filter(belongs);
    const width = Math.max(...rows.map(({ length }) => length));
    const lines = rows.map(
      (code) => `  ${colours.cyan(code.padEnd(width))}  ${cropEnd(readExplanation(code).title, columns - width - 4)}\n`,
    );
    return `${colours.bold(title)}\n${lines.join('')}`;
  });
  return sections.join('\n');
}

function describe(code: ExplainedCode, { colours, columns }: Sink): string {
  const { title, why, wrong, right } = readExplanation(code);
  const kind = classifyCode(code);
  const [first, second] = kind === 'normalization' ? ['Before', 'After'] : ['Wrong', 'Right'];
  const rule = findRequirement(code).asks;
  return [
    `${colours.bold(code)}  ${title}\n`,
    `${wrap(why, Math.min(columns, widest))}\n`,
    `${colours.bold(first)}\n${formatExample(wrong, right, '-', colours.red)}`,
    `${colours.bold(second)}\n${formatExample(right, wrong, '+', colours.green)}`,
    `${colours.bold('Clause')}  ${findSpecClause(code)}${rule === undefined ? '' : `: ${rule}`}`,
    ...(kind === 'normalization' ? [''] : [`${colours.bold('Level')}   ${kind}\n`]),
  ].join('\n');
}

/** Marks the lines that the other example lacks. */
function formatExample(text: string, other: string, mark: string, colour: (text: string) => string): string {
  const others = new Set(other.split('\n'));
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (others.has(line) ? `    ${line}\n` : colour(`  ${mark} ${line}\n`)))
    .join('');
}

/** Codes that a wrong one may have meant: the same code without dash or zeros, or the nearest in spelling. */
function findNearestCodes(asked: string, codes: readonly string[]): readonly string[] {
  const [, letter = '', digits] = /^([a-z]?)[-_ ]?0*(\d+)$/i.exec(asked) ?? [];
  if (digits !== undefined) {
    const suffix = `-${digits.padStart(3, '0')}`;
    const same = codes.filter((code) => code.endsWith(suffix) && code.toLowerCase().startsWith(letter.toLowerCase()));
    if (same.length > 0) return same;
    return codes.filter((code) => code.endsWith(suffix));
  }
  const near = findNearest(asked, codes);
  return near === undefined ? [] : [near];
}
