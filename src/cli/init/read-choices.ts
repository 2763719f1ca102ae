import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { parseTargetSpec } from '../../suite/config/named-agent.ts';
import { findFirstTargetProblem } from '../../suite/config/target-problems.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { credentials, holdsCredentials } from './credentials.ts';
import type { AgentChoice } from './first-config.ts';
import { createCommandTarget } from './init-questions.ts';

const command = 'command:';

/** Reads `--agent` as a target of the new configuration. */
export async function readChosen(text: string, io: Io): Promise<AgentChoice | CommandOutcome> {
  if (builtInAgentNames.some((name) => name === text)) return { kind: 'built-in', names: [text] };
  const described = text.startsWith(command) ? createCommandTarget(text.slice(command.length)) : parseTargetSpec(text);
  const wrong = (problem: string, hint?: string): Promise<CommandOutcome> =>
    complain(io, 'usage', `init: --agent: ${escapeInvisible(problem)}`, hint);
  if ('problem' in described) return wrong(described.problem, 'hint' in described ? String(described.hint) : undefined);
  const problem = findFirstTargetProblem(described);
  if (problem === undefined && holdsCredentials(described)) return wrong(credentials.problem, credentials.hint);
  return problem === undefined ? { kind: 'target', target: described } : wrong(problem);
}
