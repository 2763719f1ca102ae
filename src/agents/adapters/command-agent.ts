import { AgentUnreachable } from '../../attack/transport/http-failure.ts';
import type { CommandPeer as Launchable } from '../../attack/transport/mcp-client/mcp-client-options.ts';
import { CannotLaunch } from '../../attack/transport/program/launch-error.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { coverEchoes, type EchoCover } from '../../secrets/echo-cover.ts';
import type { AgentUnderTest, Briefing, ProgramFacts, RunningAgent } from './agent-under-test.ts';
import { readOutput } from './command/command-answer.ts';
import { type CommandSettings, findCommandSecrets, readCommand } from './command/command-settings.ts';
import { KeptProgram } from './command/kept-program.ts';
import { listNames } from './command/left-behind.ts';
import { findMissingProgram } from './command/resolve-command.ts';
import { SupervisedProgram } from './command/supervised-program.ts';
import { makeWorkplace, otherWays, type Workplace } from './command/workplace.ts';
import { type AgentTurn, createPromptAgent, type TurnAnswer } from './prompt-agent.ts';
import type { CommandTarget, TargetContext } from './targets.ts';
import { listLackingKinds } from './turn-omissions.ts';

export { findCommandProblems } from './command/command-settings.ts';

/** A program that is launched for each run, or for each of its turns. Throws if the target has a problem. */
export function createCommandAgent(name: string, target: CommandTarget, context: TargetContext): AgentUnderTest {
  const read = readCommand(target);
  if (!read.ok) throw new Error(read.problem);
  const { settings } = read;
  const secrets = findCommandSecrets(target, settings, context);
  const mask = coverEchoes(secrets);
  return {
    name,
    kind: 'command',
    speaks: ['ag_ui'],
    lacks: listLackingKinds(settings.carries(true)),
    isTold: true,
    // Concurrent runs in one folder would find each other's files.
    isOneAtATime: target.cwd !== undefined,
    prompt: target.prompt,
    findLaunchProblem() {
      const problem = findMissingProgram([settings.words, settings.followUp], target, context);
      return problem === undefined ? undefined : mask.text(problem);
    },
    async launch(briefing: Briefing) {
      const deadline = computeTurnDeadline(briefing);
      const workplace = await maskErrors(mask, () => makeWorkplace({ target, settings, context }, briefing));
      return { ...createRunningCommand(workplace, { settings, mask, deadline }), secrets };
    },
  };
}

/** The longest time that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** The end of a turn, somewhat before the end of the run, because the output of a program would otherwise be lost. */
function computeTurnDeadline({ withinMs = longestMs }: Briefing): number {
  const early = Math.min(withinMs / 2, Math.max(250, withinMs / 20));
  return performance.now() + Math.min(longestMs, withinMs - early);
}

interface SupervisionFacts {
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
}

function createRunningCommand(workplace: Workplace, supervised: SupervisionFacts): RunningAgent {
  const { settings, mask, deadline } = supervised;
  const over = new AbortController();
  const turns = new Set<Promise<unknown>>();
  /** The conversations for which a program has been launched, and those whose program is kept. */
  const begun = new Set<string>();
  const kept = new Map<string, Promise<KeptProgram>>();
  const spoken = new Set<KeptProgram>();
  /** Running programs: some take longer to end than their turn can wait. */
  const programs = new Set<SupervisedProgram>();
  let last: SupervisedProgram | undefined;
  let left: string | undefined;

  async function launchTurn(turn: AgentTurn, signal: AbortSignal): Promise<TurnAnswer> {
    const place = begun.has(turn.thread) ? 'later' : 'first';
    begun.add(turn.thread);
    return runLaunchedTurn({
      target: await workplace.launchableFor(turn, place),
      stdin: formatStdin(turn, settings),
      settings,
      mask,
      deadline,
      signal,
      launched: (program) => {
        last = program;
        programs.add(program);
        void program.gone.then(() => {
          programs.delete(program);
          left ??= program.left;
        });
      },
    });
  }

  async function keptTurn(turn: AgentTurn, signal: AbortSignal): Promise<TurnAnswer> {
    const launching = kept.get(turn.thread) ?? KeptProgram.launch(workplace.launchable(), supervised);
    kept.set(turn.thread, launching);
    const program = await launching;
    spoken.add(program);
    last = program.program;
    return program.turn(formatTurnLine(turn, settings), signal);
  }

  function say(turn: AgentTurn): Promise<TurnAnswer> {
    const signal = AbortSignal.any([turn.signal, over.signal]);
    const saying = maskErrors(mask, async () => {
      if (signal.aborted) throw new Error('the run is over');
      return settings.turns === 'keep' ? keptTurn(turn, signal) : launchTurn(turn, signal);
    });
    turns.add(saying);
    return saying.finally(() => turns.delete(saying));
  }

  const { peer, missed } = createPromptAgent({
    carries: settings.carries,
    remembers: settings.remembers,
    say,
  });
  return {
    addresses: { ag_ui: peer },
    // A program that is launched for each turn has ended with the turn.
    isSettled: () => settings.turns !== 'keep' && programs.size === 0,
    missed: () => missed() ?? [...spoken].map((program) => program.missed).find((each) => each !== undefined),
    program: (): ProgramFacts | undefined => last?.facts,
    wasCut: () => last?.isCut === true,
    health: () => last?.health,
    heard() {
      for (const program of programs) program.noteSign();
    },
    left: () => left,
    async stop() {
      over.abort();
      await Promise.allSettled(turns);
      await Promise.allSettled([...programs].map((program) => program.stop()));
      await Promise.allSettled([...kept.values()].map(async (program) => (await program).stop()));
      for (const { program } of spoken) left ??= program?.left;
      const occupants = workplace.findOccupants();
      if (occupants.length > 0) left ??= `the program left ${listNames(occupants)} running, which was not ended`;
      await workplace.remove();
    },
  };
}

function formatStdin({ prompt, input }: AgentTurn, { stdin }: CommandSettings): string {
  if (stdin === 'nothing') return '';
  return stdin === 'input' ? stringifyJson(input) : prompt;
}

/** Writes a turn as one line; line breaks in plain text are escaped. */
function formatTurnLine({ prompt, messages, input }: AgentTurn, { stdin, output }: CommandSettings): string {
  if (stdin === 'input') return stringifyJson(input);
  if (output === 'jsonl') return stringifyJson({ prompt, messages });
  return prompt.replace(/\r\n|[\r\n]/g, '\\n');
}

async function maskErrors<T>(mask: EchoCover, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const advice = thrown instanceof CannotLaunch && thrown.code === 'E2BIG' ? `; ${otherWays}` : '';
    const reason = mask.text(`${thrown instanceof Error ? thrown.message : String(thrown)}${advice}`);
    throw thrown instanceof CannotLaunch ? new AgentUnreachable(reason) : new Error(reason);
  }
}

interface LaunchedTurn {
  readonly target: Launchable;
  /** The text on its standard input, which is then closed. */
  readonly stdin: string;
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
  readonly signal: AbortSignal;
  launched(program: SupervisedProgram): void;
}

/** Launches the program for one turn; its answer is everything that it writes until it ends. */
async function runLaunchedTurn(turn: LaunchedTurn): Promise<TurnAnswer> {
  const { target, stdin, settings, mask, deadline, signal } = turn;
  const chunks: Buffer[] = [];
  const program = await SupervisedProgram.launch(target, {
    limits: settings,
    mask,
    deadline,
    output: (chunk) => void chunks.push(chunk),
  });
  turn.launched(program);
  const endTurn = program.beginTurn(signal);
  try {
    if (stdin !== '') program.write(stdin);
    program.endInput();
    await program.over;
  } finally {
    // Child processes that it left running would otherwise continue in the next turn and after the run.
    await program.leave();
    endTurn();
  }
  const { text, failure } = readOutput(Buffer.concat(chunks), settings, mask.text);
  return { text: program.fit(text), failure: program.failure ?? failure, isCut: program.isCut };
}
