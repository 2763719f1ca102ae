import { skippedInWords } from '../../../report/skipped.ts';
import { visible } from '../../../report/visible.ts';
import { pad, widthOf } from '../../../report/width.ts';
import { attacksOf, type SuitePlan } from '../../../suite/plan.ts';
import type { Colours, Sink } from '../../io.ts';
import { count } from '../../reports/report.ts';
import type { SaidSetting } from '../settings/said-settings.ts';

/** The planned runs, one line each, and the settings. */
export function planToText(
  plan: SuitePlan,
  { colours }: Sink,
  settings: readonly SaidSetting[] = [],
): string {
  const attacks = attacksOf(plan);
  const rows = attacks.flatMap(({ document, agent }) =>
    repeatsOf(plan).map((repeat) => [
      visible(document.key),
      visible(agent.name),
      plan.repeat > 1 ? String(repeat) : '',
      visible(document.entry.name),
    ]),
  );
  const widths = [0, 1, 2].map((column) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[column] ?? '')), 0),
  );
  const lines = rows.map(([document = '', agent = '', repeat = '', name = '']) => {
    const cells = [
      pad(document, widths[0] ?? 0),
      pad(agent, widths[1] ?? 0),
      ...(plan.repeat > 1 ? [repeat.padStart(widths[2] ?? 0)] : []),
    ];
    return `${cells.join('  ')}  ${colours.dim(name === document ? '' : name)}`.trimEnd();
  });
  return `${[...lines, ...(lines.length > 0 ? [''] : []), totalOf(plan, rows.length)].join('\n')}\n${settingsToText(settings, colours)}`;
}

function settingsToText(settings: readonly SaidSetting[], colours: Colours): string {
  if (settings.length === 0) return '';
  const shown = settings.map((setting) => [setting.name, visible(setting.value), visible(setting.source)]);
  const [names, values] = [0, 1].map((column) =>
    Math.min(60, Math.max(...shown.map((row) => widthOf(row[column] ?? '')))),
  );
  const lines = shown.map(([name = '', value = '', source = '']) =>
    `  ${pad(name, names ?? 0)}  ${pad(value, values ?? 0)}  ${colours.dim(source)}`.trimEnd(),
  );
  return `\n${colours.bold('Settings')}\n${lines.join('\n')}\n`;
}

function repeatsOf({ repeat }: SuitePlan): readonly number[] {
  return Array.from({ length: repeat }, (_, index) => index + 1);
}

function totalOf({ documents, agents, repeat, shard, skipped = [] }: SuitePlan, runs: number): string {
  const factors = [
    count(documents.length, 'document', 'documents'),
    count(agents.length, 'agent', 'agents'),
    ...(repeat > 1 ? [count(repeat, 'repeat', 'repeats')] : []),
  ];
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.of}`;
  const left = skipped.length === 0 ? '' : `\n${skippedInWords(skipped, visible)}`;
  return `${count(runs, 'run', 'runs')}: ${factors.join(' × ')}${part}${left}`;
}

/** The plan as JSON. Its shape is documented in the help of `run`, and later versions only add fields. */
export function planToJson(plan: SuitePlan, settings?: readonly SaidSetting[]): string {
  const runs = attacksOf(plan).flatMap(({ document, agent }) =>
    repeatsOf(plan).map((repeat) => ({
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
