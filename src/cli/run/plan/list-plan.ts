import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { count } from '../../../report/count-text.ts';
import { describeSkipped } from '../../../report/coverage-text.ts';
import { measureWidth, pad } from '../../../report/text-width.ts';
import { listPlannedAttacks, type SuitePlan } from '../../../suite/plan/plan.ts';
import type { Colours, Sink } from '../../io.ts';

import type { GivenSetting } from '../settings/given-settings.ts';

/** The planned runs, one line each, and the settings. */
export function planToText(plan: SuitePlan, { colours }: Sink, settings: readonly GivenSetting[] = []): string {
  const attacks = listPlannedAttacks(plan);
  const rows = attacks.flatMap(({ document, agent }) =>
    listRepeats(plan).map((repeat) => [
      escapeInvisible(document.key),
      escapeInvisible(agent.name),
      plan.repeat > 1 ? String(repeat) : '',
      escapeInvisible(document.entry.name),
    ]),
  );
  const widths = [0, 1, 2].map((column) =>
    rows.reduce((width, row) => Math.max(width, measureWidth(row[column] ?? '')), 0),
  );
  const lines = rows.map(([document = '', agent = '', repeat = '', name = '']) => {
    const cells = [
      pad(document, widths[0] ?? 0),
      pad(agent, widths[1] ?? 0),
      ...(plan.repeat > 1 ? [repeat.padStart(widths[2] ?? 0)] : []),
    ];
    return `${cells.join('  ')}  ${colours.dim(name === document ? '' : name)}`.trimEnd();
  });
  return `${[...lines, ...(lines.length > 0 ? [''] : []), formatTotal(plan, rows.length)].join('\n')}\n${formatSettings(settings, colours)}`;
}

function formatSettings(settings: readonly GivenSetting[], colours: Colours): string {
  if (settings.length === 0) return '';
  const shown = settings.map((setting) => [
    setting.name,
    escapeInvisible(setting.value),
    escapeInvisible(setting.source),
  ]);
  const [names, values] = [0, 1].map((column) =>
    Math.min(60, Math.max(...shown.map((row) => measureWidth(row[column] ?? '')))),
  );
  const lines = shown.map(([name = '', value = '', source = '']) =>
    `  ${pad(name, names ?? 0)}  ${pad(value, values ?? 0)}  ${colours.dim(source)}`.trimEnd(),
  );
  return `\n${colours.bold('Settings')}\n${lines.join('\n')}\n`;
}

function listRepeats({ repeat }: SuitePlan): readonly number[] {
  return Array.from({ length: repeat }, (_, index) => index + 1);
}

function formatTotal({ documents, agents, repeat, shard, skipped = [] }: SuitePlan, runs: number): string {
  const factors = [
    count(documents.length, 'document', 'documents'),
    count(agents.length, 'agent', 'agents'),
    ...(repeat > 1 ? [count(repeat, 'repeat', 'repeats')] : []),
  ];
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.of}`;
  const left = skipped.length === 0 ? '' : `\n${describeSkipped(skipped, escapeInvisible)}`;
  return `${count(runs, 'run', 'runs')}: ${factors.join(' × ')}${part}${left}`;
}

/** The plan as JSON. Its shape is documented in the help of `run`, and later versions only add fields. */
export function planToJson(plan: SuitePlan, settings?: readonly GivenSetting[]): string {
  const runs = listPlannedAttacks(plan).flatMap(({ document, agent }) =>
    listRepeats(plan).map((repeat) => ({
      document: document.key,
      path: document.entry.path,
      agent: agent.name,
      repeat,
    })),
  );
  const shard = plan.shard && { index: plan.shard.index, of: plan.shard.of };
  const { tool, skipped } = plan;
  return `${JSON.stringify({ version: 1, tool, ...(shard && { shard }), runs, skipped, settings }, null, 2)}\n`;
}
