import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { Arguments } from '../commands.ts';
import type { Io } from '../io.ts';
import { type AgentChoice, attacksFolder, firstAddress, isServed } from './first-config.ts';

/** The next steps for the user. */
export function formatNextSteps(
  chosen: AgentChoice,
  { dir, format }: Pick<Arguments<'init'>, 'dir' | 'format'>,
  { environment }: Pick<Io, 'environment'>,
): string {
  // With npx there is no installed command.
  const oatf = environment.npm_command === 'exec' ? 'npx oatf' : 'oatf';
  const rows: readonly (readonly [string, string])[] = [
    ...(dir === undefined || dir === '.' ? [] : [[`cd ${escapeInvisible(dir)}`, ''] as const]),
    [`${oatf} validate ${attacksFolder}`, 'check the attack, which you can change'],
    [`${oatf} doctor`, 'see whether your agents can be attacked from here'],
    [`${oatf} run`, chosen.kind === 'built-in' ? 'play it against the built-in agents' : 'play it'],
    [`${oatf} run OATS-001`, 'play an attack of the library; oatf list shows them all'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`.trimEnd());
  return ['', 'Next', ...lines, ...formatTargetNotes(chosen, format), ''].join('\n');
}

function formatTargetNotes(chosen: AgentChoice, format: string): readonly string[] {
  if (chosen.kind === 'built-in')
    return [
      '',
      format === 'json'
        ? 'Your own agent is a target; docs/reference/configuration.md has an example of each kind.'
        : 'Your own agent is a target; the file has an example of each kind.',
    ];
  const { target } = chosen;
  if (isServed(target))
    return [
      '',
      `Your agent is already running, so configure it to use the attack’s MCP server: http://${firstAddress}/mcp`,
    ];
  if ('llm' in target) return ['', 'The key of the model is OPENAI_API_KEY or ANTHROPIC_API_KEY in the environment.'];
  if (target.command !== undefined && target.env !== undefined)
    return ['', `Set these in the environment; they are not in the file: ${Object.keys(target.env).join(', ')}`];
  return [];
}
