import { stringifyJson } from '../model/json.ts';
import { coverEchoes, type EchoCover } from '../secrets/echoes.ts';
import { NotThere } from '../transport/http-failure.ts';
import { CannotLaunch } from '../transport/program/cannot-launch.ts';
import type { AgentUnderTest, Briefing, ProgramFacts, RunningAgent } from './agent.ts';
import { KeptProgram } from './command/kept-program.ts';
import { launchedTurn } from './command/launched-turn.ts';
import { secretsOf } from './command/secrets.ts';
import { type CommandSettings, readCommand } from './command/settings.ts';
import type { SupervisedProgram } from './command/supervised-program.ts';
import { otherWays } from './command/variables.ts';
import { makeWorkplace, type Workplace } from './command/workplace.ts';
import { lackedBy } from './left-out.ts';
import { promptVoice, type Said, type Turn } from './prompt-voice.ts';
import type { CommandTarget, TargetContext } from './targets.ts';

export { problemsOfCommand } from './command/settings.ts';

/** A program that is launched for each run, or for each of its turns. Throws if the target has a problem. */
export function commandAgent(name: string, target: CommandTarget, context: TargetContext): AgentUnderTest {
  const read = readCommand(target);
  if (!read.ok) throw new Error(read.problem);
  const { settings } = read;
  const secrets = secretsOf(target, settings, context);
  const mask = coverEchoes(secrets);
  return {
    name,
    kind: 'command',
    speaks: ['ag_ui'],
    lacks: lackedBy(settings.carries(true)),
    isTold: true,
    // Concurrent runs in one folder would find each other's files.
    isOneAtATime: target.cwd !== undefined,
    prompt: target.prompt,
    async launch(briefing: Briefing) {
      const deadline = deadlineOf(briefing);
      const workplace = await masked(mask, () => makeWorkplace({ target, settings, context }, briefing));
      return { ...runningCommand(workplace, { settings, mask, deadline }), secrets };
    },
  };
}

/** The longest time that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** The end of a turn, somewhat before the end of the run: what a program has said would otherwise be lost. */
function deadlineOf({ withinMs = longestMs }: Briefing): number {
  const early = Math.min(withinMs / 2, Math.max(250, withinMs / 20));
  return performance.now() + Math.min(longestMs, withinMs - early);
}

interface Supervised {
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
}

function runningCommand(workplace: Workplace, supervised: Supervised): RunningAgent {
  const { settings, mask, deadline } = supervised;
  const over = new AbortController();
  const turns = new Set<Promise<unknown>>();
  /** The conversations for which a program has been launched, and those whose program is kept. */
  const begun = new Set<string>();
  const kept = new Map<string, Promise<KeptProgram>>();
  const heard = new Set<KeptProgram>();
  /** Running programs: some take longer to end than their turn can wait. */
  const programs = new Set<SupervisedProgram>();
  let last: SupervisedProgram | undefined;

  async function launchTurn(turn: Turn, signal: AbortSignal): Promise<Said> {
    const place = begun.has(turn.thread) ? 'later' : 'first';
    begun.add(turn.thread);
    return launchedTurn({
      target: await workplace.launchableFor(turn, place),
      stdin: stdinOf(turn, settings),
      settings,
      mask,
      deadline,
      signal,
      launched: (program) => {
        last = program;
        programs.add(program);
        void program.gone.then(() => programs.delete(program));
      },
    });
  }

  async function keptTurn(turn: Turn, signal: AbortSignal): Promise<Said> {
    const launching = kept.get(turn.thread) ?? KeptProgram.launch(workplace.launchable(), supervised);
    kept.set(turn.thread, launching);
    const program = await launching;
    heard.add(program);
    last = program.program;
    return program.turn(lineOf(turn, settings), signal);
  }

  function say(turn: Turn): Promise<Said> {
    const signal = AbortSignal.any([turn.signal, over.signal]);
    const saying = masked(mask, async () => {
      if (signal.aborted) throw new Error('the run is over');
      return settings.turns === 'keep' ? keptTurn(turn, signal) : launchTurn(turn, signal);
    });
    turns.add(saying);
    return saying.finally(() => turns.delete(saying));
  }

  const { voice, missed } = promptVoice({
    carries: settings.carries,
    remembers: settings.remembers,
    say,
  });
  return {
    doors: { ag_ui: voice },
    // A program that is launched for each turn has ended with the turn.
    isSettled: () => settings.turns !== 'keep' && programs.size === 0,
    missed: () => missed() ?? [...heard].map((program) => program.missed).find((each) => each !== undefined),
    program: (): ProgramFacts | undefined => last?.facts,
    wasCut: () => last?.isCut === true,
    health: () => last?.health,
    async stop() {
      over.abort();
      await Promise.allSettled(turns);
      await Promise.allSettled([...programs].map((program) => program.stop()));
      await Promise.allSettled([...kept.values()].map(async (program) => (await program).stop()));
      await workplace.remove();
    },
  };
}

function stdinOf({ prompt, input }: Turn, { stdin }: CommandSettings): string {
  if (stdin === 'nothing') return '';
  return stdin === 'input' ? stringifyJson(input) : prompt;
}

/** Writes a turn as one line; line breaks in plain text are escaped. */
function lineOf({ prompt, messages, input }: Turn, { stdin, output }: CommandSettings): string {
  if (stdin === 'input') return stringifyJson(input);
  if (output === 'jsonl') return stringifyJson({ prompt, messages });
  return prompt.replace(/\r\n|[\r\n]/g, '\\n');
}

async function masked<T>(mask: EchoCover, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const advice = thrown instanceof CannotLaunch && thrown.code === 'E2BIG' ? `; ${otherWays}` : '';
    const reason = mask.text(`${thrown instanceof Error ? thrown.message : String(thrown)}${advice}`);
    throw thrown instanceof CannotLaunch ? new NotThere(reason) : new Error(reason);
  }
}
