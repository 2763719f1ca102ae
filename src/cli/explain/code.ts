import {
  type DecodeRuleId,
  decodeRules,
  type GenerateRuleId,
  generateRules,
  type MarkRuleId,
  markRules,
  normalizationSteps,
  ownSeverityOf,
  type RuleId,
  rules,
  severityOf,
  type TaskRuleId,
  taskRules,
  type WireRuleId,
  wireRules,
} from '../../registry/rules.ts';
import { visible } from '../../report/visible.ts';
import { crop, wrap } from '../../report/width.ts';
import { clauseOf } from '../clause.ts';
import { type ExplainedCode, type Explanation, explanations } from '../explanations.ts';
import { complain, type Io, type Sink } from '../io.ts';
import { nearestCodes } from '../nearest-codes.ts';
import { type CommandOutcome, ok } from '../outcome.ts';

const widest = 90;
const every = Object.entries(explanations) as [ExplainedCode, Explanation][];

export async function explainEvery(json: boolean, io: Io): Promise<CommandOutcome> {
  await io.stdout.write(json ? toJson(every.map(([code]) => dataOf(code))) : list(io.stdout));
  return ok;
}

export async function explainCode(asked: string, json: boolean, io: Io): Promise<CommandOutcome> {
  const code = every.map(([each]) => each).find((each) => each.toLowerCase() === asked.toLowerCase());
  if (code === undefined) {
    const near = nearestCodes(
      asked,
      every.map(([each]) => each),
    );
    const hint = near.length === 0 ? 'oatf explain lists every code' : `did you mean ${near.join(', ')}?`;
    return complain(io, 'usage', `explain: there is no code "${visible(asked)}"`, hint);
  }
  await io.stdout.write(json ? toJson(dataOf(code)) : describe(code, io.stdout));
  return ok;
}

function toJson(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}

/** All that is known of a code; the site makes a page of it. */
export function dataOf(code: ExplainedCode) {
  return { code, kind: kindOf(code), clause: clauseOf(code), ...asks(code), ...explanations[code] };
}

function kindOf(code: ExplainedCode): 'error' | 'warning' | 'normalization' {
  if (code.startsWith('N-')) return 'normalization';
  if (isRule(code)) return severityOf(code);
  return isOwnRule(code) ? ownSeverityOf(code) : 'error';
}

function isOwnRule(
  code: ExplainedCode,
): code is MarkRuleId | TaskRuleId | DecodeRuleId | GenerateRuleId | WireRuleId {
  return Object.hasOwn(ownRules, code);
}

const ownRules = { ...markRules, ...taskRules, ...decodeRules, ...generateRules, ...wireRules };

function isRule(code: ExplainedCode): code is RuleId {
  return Object.hasOwn(rules, code);
}

function asks(code: ExplainedCode): { readonly asks?: string } {
  if (isRule(code)) return { asks: rules[code].asks };
  if (isOwnRule(code)) return { asks: ownRules[code].asks };
  const steps: { readonly [code: string]: string } = normalizationSteps;
  const step = steps[code];
  return step === undefined ? {} : { asks: step };
}

const groups = [
  ['Rules', (code: string) => code.startsWith('V-')],
  [
    'Rules of this tool, for requirements of the format that have no id',
    (code: string) => code.startsWith('O-'),
  ],
  ['Warnings', (code: string) => code.startsWith('W-')],
  ['Steps of normalization', (code: string) => code.startsWith('N-')],
  ['Parsing', (code: string) => !code.includes('-')],
] as const;

function list({ colours, columns }: Sink): string {
  const sorted = every.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sections = groups.map(([title, belongs]) => {
    const rows = sorted.filter(([code]) => belongs(code));
    const width = Math.max(...rows.map(([code]) => code.length));
    const lines = rows.map(
      ([code, { title }]) => `  ${colours.cyan(code.padEnd(width))}  ${crop(title, columns - width - 4)}\n`,
    );
    return `${colours.bold(title)}\n${lines.join('')}`;
  });
  return sections.join('\n');
}

function describe(code: ExplainedCode, { colours, columns }: Sink): string {
  const { title, why, wrong, right } = explanations[code];
  const kind = kindOf(code);
  const [first, second] = kind === 'normalization' ? ['Before', 'After'] : ['Wrong', 'Right'];
  const rule = asks(code).asks;
  return [
    `${colours.bold(code)}  ${title}\n`,
    `${wrap(why, Math.min(columns, widest))}\n`,
    `${colours.bold(first)}\n${example(wrong, right, '-', colours.red)}`,
    `${colours.bold(second)}\n${example(right, wrong, '+', colours.green)}`,
    `${colours.bold('Clause')}  ${clauseOf(code)}${rule === undefined ? '' : `: ${rule}`}`,
    ...(kind === 'normalization' ? [''] : [`${colours.bold('Level')}   ${kind}\n`]),
  ].join('\n');
}

/** Marks the lines that the other example lacks. */
function example(text: string, other: string, mark: string, colour: (text: string) => string): string {
  const others = new Set(other.split('\n'));
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (others.has(line) ? `    ${line}\n` : colour(`  ${mark} ${line}\n`)))
    .join('');
}
