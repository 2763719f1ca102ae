import { visible } from '../../report/visible.ts';
import type { Arguments } from '../commands.ts';
import type { Io } from '../io.ts';
import { attacksFolder, type Chosen, firstPlace, isServed } from './first-config.ts';

/** What to do now. */
export function nextSteps(
  chosen: Chosen,
  { dir, format }: Pick<Arguments<'init'>, 'dir' | 'format'>,
  { environment }: Pick<Io, 'environment'>,
): string {
  // Whoever has us from the registry for the moment has no such command.
  const oatf = environment.npm_command === 'exec' ? 'npx oatf' : 'oatf';
  const rows: readonly (readonly [string, string])[] = [
    ...(dir === undefined || dir === '.' ? [] : [[`cd ${visible(dir)}`, ''] as const]),
    [`${oatf} validate ${attacksFolder}`, 'check the attack, which is yours to change'],
    [`${oatf} doctor`, 'see whether your agents can be attacked from here'],
    [`${oatf} run`, chosen.kind === 'built-in' ? 'play it against the built-in agents' : 'play it'],
    [`${oatf} run OATS-001`, 'one of the library; oatf list has them all'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`.trimEnd());
  return ['', 'Next', ...lines, ...notesOn(chosen, format), ''].join('\n');
}

function notesOn(chosen: Chosen, format: string): readonly string[] {
  if (chosen.kind === 'built-in')
    return [
      '',
      format === 'json'
        ? 'An agent of yours is a target; docs/configuration.md has an example of each kind.'
        : 'An agent of yours is a target; the file has an example of each kind.',
    ];
  const { target } = chosen;
  if (isServed(target))
    return [
      '',
      `Your agent runs already, so it has to be told of the attack’s MCP server: http://${firstPlace}/mcp`,
    ];
  if ('llm' in target)
    return ['', 'The key of the model is OPENAI_API_KEY or ANTHROPIC_API_KEY in the environment.'];
  if (target.command !== undefined && target.env !== undefined)
    return ['', `Set in the environment, and not in the file: ${Object.keys(target.env).join(', ')}`];
  return [];
}
