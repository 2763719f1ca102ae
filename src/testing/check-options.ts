import type { JudgeFunction } from '../agent/judging.ts';
import { byKey, either, list, map, needed, object, optional } from '../config/compounds.ts';
import { redaction } from '../config/redact-pattern.ts';
import { boolean, choice, number, text } from '../config/scalars.ts';
import { type ConfigProblem, kindOf, type Shape } from '../config/shape.ts';
import { duration, someTime } from '../config/target-shape.ts';
import { mostRuns, mostSeed } from '../config/values.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import { formatPath } from '../model/path.ts';
import { isClientMode } from '../registry/modes.ts';
import { nearest } from '../registry/suggestions.ts';
import { visible } from '../report/visible.ts';
import { carriedModes, isCarried, listens } from '../suite/modes.ts';
import type { CommandPeer, Peer, UrlPeer } from '../transport/json-rpc-client.ts';
import { NotAttacked } from './not-attacked.ts';
import type { AttackOptions, Duration, EveryAttackOptions } from './options.ts';

// The allowed options, one row for each. An unknown or invalid option is always an error: the verdict may depend on it.

interface OneAttack extends EveryAttackOptions {
  readonly agent?: unknown;
  readonly transport?: 'http' | 'memory' | undefined;
}

interface SeveralAttacks extends OneAttack {
  readonly concurrency?: number | undefined;
}

/** Not checked here: `agentOf` checks the agent when it builds it. */
const agent: Shape<unknown> = { kind: 'any', schema: undefined, check() {} };

const judge: Shape<JudgeFunction | string> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    if (typeof value !== 'function' && typeof value !== 'string')
      report({ path, message: 'this is not a judge', hint: 'a function, or llm:MODEL' });
  },
};

const signal: Shape<AbortSignal> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    // Test frameworks run code in other realms, whose AbortSignal is a different class: `instanceof` would fail.
    const { aborted, addEventListener } = Object(value) as Partial<AbortSignal>;
    if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
      report({ path, message: 'this is not an AbortSignal' });
  },
};

const url = text({
  isUnquoted: true,
  problemOf: (value) =>
    URL.canParse(value) && /^(https?|grpcs?):$/.test(new URL(value).protocol)
      ? undefined
      : { problem: 'is not a URL', hint: 'such as http://127.0.0.1:8000/; a program is { command, args }' },
});

const texts = map(text(), { pattern: '', what: 'a name' });

const place = either<string, Peer>(
  url,
  byKey('the peer of an actor', {
    url: object<UrlPeer>({
      url: needed(url, 'The address.'),
      headers: optional(texts, 'Sent with every request.'),
      secrets: optional(list(text()), 'Values that are masked in responses.'),
      secretsStay: optional(boolean, 'Whether they are masked only in stored files.'),
    }),
    command: object<CommandPeer>({
      command: needed(text({ pattern: '\\S', example: '"node"' }), 'The program.'),
      args: optional(list(text()), 'Its arguments.'),
      env: optional(texts, 'Environment variables for it.'),
      environment: optional(choice(['clean', 'inherited']), 'How much of our environment it inherits.'),
      cwd: optional(text(), 'Its working directory.'),
    }),
  }),
);

const actors = { pattern: '', what: 'the name of an actor' };

const oneAttack = {
  agent: optional(agent, 'The agent to attack.'),
  transport: optional(choice(['http', 'memory']), 'How the agent reaches the servers of the document.'),
  prompt: optional(text(), 'The prompt of the user, if the document sets none.'),
  timeout: optional(either(positive(), someTime) satisfies Shape<Duration>, 'How long one run may take.'),
  terminalTimeout: optional(either(positive(), someTime), 'How long terminal phases are served.'),
  gracePeriod: optional(
    either(number({ least: 0 }), duration),
    'How long to keep watching after the agent has answered.',
  ),
  delivery: optional(
    choice(['payload', 'strict', 'reached']),
    'How much of the attack must reach the agent for "resisted".',
  ),
  projections: optional(boolean, 'Whether indicators also see projections of wire messages.'),
  judge: optional(judge, 'The judge of semantic indicators.'),
  twin: optional(boolean, 'Whether the benign twin is played instead of the attack.'),
  failTier: optional(
    choice(['any', 'ingested', 'local_action', 'boundary_breach']),
    'The lowest tier at which a match fails.',
  ),
  era: optional(choice(['legacy', 'modern']), 'The protocol era of the actors.'),
  seed: optional(number({ least: 0, most: mostSeed, isWhole: true }), 'The seed of random values.'),
  signal: optional(signal, 'Ends the attack.'),
  connect: optional(map(place, actors), 'The peers of client actors.'),
  listen: optional(map(number({ least: 0, most: 65_535, isWhole: true }), actors), 'Ports of server actors.'),
  repeat: optional(number({ least: 1, most: mostRuns, isWhole: true }), 'How many times the attack is run.'),
  retries: optional(
    number({ least: 0, most: mostRuns, isWhole: true }),
    'How many times a failed run is retried.',
  ),
  maxRate: optional(number({ least: 0, most: 1 }), 'The share of runs that may succeed.'),
  redact: optional(redaction, 'Whether secrets are masked, or additional patterns to mask.'),
  out: optional(text({ pattern: '\\S', example: "'oatf-results'" }), 'A folder for results.'),
};

/** The options of `attack`, and of `attackAll`. */
const shapes = {
  attack: object<OneAttack>(oneAttack),
  attackAll: object<SeveralAttacks>({
    ...oneAttack,
    concurrency: optional(
      number({ least: 1, most: mostRuns, isWhole: true }),
      'How many attacks run at the same time.',
    ),
  }),
};

/** Throws if options are invalid; the error lists every problem. */
export function checkOptions(options: unknown, of: keyof typeof shapes): void {
  if (isNothing(options) || (kindOf(options) === 'mapping' && isNothing((options as OneAttack).agent)))
    throw new NotAttacked('agent: no agent is given', 'a function, what --agent takes, or a target');
  const problems: ConfigProblem[] = [];
  shapes[of].check(options, [], (problem) => problems.push(problem));
  if (problems.length > 0) throw notAttackedFor(problems, 'options');
}

function isNothing(value: unknown): boolean {
  return kindOf(value) === 'nothing';
}

/** Throws if an option names an actor that no document has, or one that cannot do what the option asks. */
export function checkActors(
  { listen = {}, connect = {}, transport }: AttackOptions,
  documents: readonly NormalizedDocument[],
): void {
  const all = documents.flatMap(({ attack }) => attack.execution.actors);
  const problems = [
    ...problemsOfNames(
      'listen',
      Object.keys(listen),
      all.filter(
        (actor) => listens(actor) && !(transport === 'memory' && isCarried(actor.mode, 'server', 'memory')),
      ),
      transport === 'memory' ? 'server that takes a port' : 'server',
    ),
    ...problemsOfNames(
      'connect',
      Object.keys(connect),
      all.filter(({ mode }) => isClientMode(mode)),
      'client',
    ),
    ...Object.entries(connect).flatMap(([name, to]) =>
      typeof to === 'object' &&
      'command' in to &&
      all.some((actor) => actor.name === name && !isCarried(actor.mode, 'client', 'stdio'))
        ? [
            {
              path: ['connect', name],
              message: `only ${carriedModes('client', 'stdio')} actors can connect to a program`,
            },
          ]
        : [],
    ),
  ];
  if (problems.length > 0) throw notAttackedFor(problems, 'options');
}

function problemsOfNames(
  option: string,
  named: readonly string[],
  meant: readonly NormalizedActor[],
  what: string,
): readonly ConfigProblem[] {
  const known = [...new Set(meant.map(({ name }) => name))];
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      const others = known.length === 0 ? 'there is none' : `it can be ${known.slice(0, 20).join(', ')}`;
      return {
        path: [option, name],
        message: `no ${what} in these documents has this name`,
        hint: near === undefined ? others : `did you mean ${near}?`,
      };
    });
}

/** An error that lists all problems, each with its path; `where` replaces an empty path. */
export function notAttackedFor(problems: readonly ConfigProblem[], where: string): NotAttacked {
  const lines = problems.slice(0, 20).map(({ path, message, hint }) => {
    const place = path.length === 0 ? where : formatPath(path);
    return `${visible(`${place}: ${message}`)}${hint === undefined ? '' : `\n  hint: ${visible(hint)}`}`;
  });
  return new NotAttacked(lines.join('\n'));
}

function positive(): Shape<number> {
  const { check, ...shape } = number({ least: 0 });
  return {
    ...shape,
    check(value, path, report) {
      if (value === 0) report({ path, message: 'must be longer than zero', hint: "such as 30_000 or '30s'" });
      else check(value, path, report);
    },
  };
}
