import type { Target } from '../../agents/adapters/targets.ts';
import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { isSecretName } from '../../secrets/given-secrets.ts';
import { readCommandLine } from '../../suite/config/command-line.ts';
import { parseTargetSpec } from '../../suite/config/named-agent.ts';
import { findFirstTargetProblem } from '../../suite/config/target-problems.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { askUntilRead, readAnswerLines } from './ask-user.ts';
import type { AgentChoice } from './config-text.ts';

interface Kind {
  readonly what: string;
  /** The question that follows; absent for built-in agents. */
  readonly asks?: string;
  describe?(answer: string): Target | { readonly problem: string };
}

const kinds: readonly Kind[] = [
  { what: 'the built-in agents, to try it out' },
  {
    what: 'a program, launched for each run',
    asks: 'Its command, such as node my-agent.mjs --prompt {{prompt}} --mcp-config {{mcp_config}}',
    describe: createCommandTarget,
  },
  { what: 'a server that speaks AG-UI', asks: 'Its URL', describe: (agUi) => ({ agUi }) },
  {
    what: 'a server with a JSON endpoint of its own',
    asks: 'The URL of the endpoint',
    describe: (http) => ({ http, body: { prompt: '{{prompt}}' } }),
  },
  { what: 'a server that speaks A2A', asks: 'Its URL, or that of its card', describe: (a2a) => ({ a2a }) },
  {
    what: 'the built-in agent with a language model',
    asks: 'The model, such as gpt-5-mini or anthropic/MODEL',
    describe: (llm) => ({ llm }),
  },
];

/** The target of a command line. Variables before the program are named but not stored, because they may be secrets. */
function createCommandTarget(text: string): Target | { readonly problem: string } {
  const read = readCommandLine(text);
  if ('problem' in read) return read;
  const { words, env } = read;
  const names = Object.keys(env);
  return {
    command: [...words],
    ...(names.length > 0 && { env: Object.fromEntries(names.map((name) => [name, `{{env.${name}}}`])) }),
  };
}

/** A configuration file is often shared, so no secret may be written to it. */
const credentials = {
  problem: 'its URL holds a name, a password or a token, and it would be written to the file',
  hint: 'leave that out, and give the target `headers`, such as authorization: Bearer {{env.MY_TOKEN}}',
};

const inOneLine = `${credentials.problem}; ${credentials.hint}`;

/** Asks for the agent; undefined if the user does not answer. */
export async function askForAgent(io: Pick<Io, 'stdin' | 'stderr'>): Promise<AgentChoice | undefined> {
  const answers = readAnswerLines(io);
  try {
    const list = kinds.map(({ what }, index) => `  ${index + 1}  ${what}\n`).join('');
    await io.stderr.write(`What do you want to attack?\n${list}`);
    const kind = await askUntilRead<Kind>(io, answers, 'A number [1]', (answer) => {
      const chosen = kinds[Number(answer === '' ? 1 : answer) - 1];
      return chosen ?? { problem: `a number from 1 to ${kinds.length}` };
    });
    if (kind === undefined) return undefined;
    const { asks, describe } = kind;
    if (asks === undefined || describe === undefined) return { kind: 'built-in', names: builtInAgentNames };
    const target = await askUntilRead<Target>(io, answers, asks, (answer) => {
      const described = describe(answer);
      const problem =
        answer === ''
          ? 'an answer is required'
          : 'problem' in described
            ? described.problem
            : (findFirstTargetProblem(described) ?? (holdsCredentials(described) ? inOneLine : undefined));
      return problem === undefined ? (described as Target) : { problem };
    });
    return target === undefined ? undefined : { kind: 'target', target };
  } finally {
    await answers.end();
  }
}

function holdsCredentials({ agUi, http, a2a }: Target): boolean {
  const url = agUi ?? http ?? a2a ?? '';
  if (!URL.canParse(url)) return false;
  const { username, password, searchParams } = new URL(url);
  return username !== '' || password !== '' || [...searchParams.keys()].some(isSecretName);
}

const command = 'command:';

/** Reads `--agent` as a target of the new configuration. */
export async function readChosen(text: string, io: Io): Promise<AgentChoice | CommandOutcome> {
  if (builtInAgentNames.some((name) => name === text)) return { kind: 'built-in', names: [text] };
  const described = text.startsWith(command) ? createCommandTarget(text.slice(command.length)) : parseTargetSpec(text);
  const wrong = (problem: string, hint?: string): Promise<CommandOutcome> =>
    complain(io, 'usage', `init: --agent: ${problem}`, hint);
  if ('problem' in described) return wrong(described.problem, 'hint' in described ? String(described.hint) : undefined);
  const problem = findFirstTargetProblem(described);
  if (problem === undefined && holdsCredentials(described)) return wrong(credentials.problem, credentials.hint);
  return problem === undefined ? { kind: 'target', target: described } : wrong(problem);
}
