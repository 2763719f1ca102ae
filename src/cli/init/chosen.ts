import { builtInAgentNames } from '../../built-in/names.ts';
import { describedBy } from '../../config/named-agent.ts';
import { problemOfTarget } from '../../config/target-problems.ts';
import { visible } from '../../report/visible.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';
import { credentials, holdsCredentials } from './credentials.ts';
import type { Chosen } from './first-config.ts';
import { commandTarget } from './questions.ts';

const command = 'command:';

/** Reads `--agent` as a target of the new configuration. */
export async function readChosen(text: string, io: Io): Promise<Chosen | CommandOutcome> {
  if (builtInAgentNames.some((name) => name === text)) return { kind: 'built-in', names: [text] };
  const described = text.startsWith(command) ? commandTarget(text.slice(command.length)) : describedBy(text);
  const wrong = (problem: string, hint?: string): Promise<CommandOutcome> =>
    complain(io, 'usage', `init: --agent: ${visible(problem)}`, hint);
  if ('problem' in described)
    return wrong(described.problem, 'hint' in described ? String(described.hint) : undefined);
  const problem = problemOfTarget(described);
  if (problem === undefined && holdsCredentials(described))
    return wrong(credentials.problem, credentials.hint);
  return problem === undefined ? { kind: 'target', target: described } : wrong(problem);
}
