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

// What options may be, a row for each. An option that means nothing is never passed over: it may be what a verdict hangs on.

interface OneAttack extends EveryAttackOptions {
  readonly agent?: unknown;
  readonly transport?: 'http' | 'memory' | undefined;
}

interface SeveralAttacks extends OneAttack {
  readonly concurrency?: number | undefined;
}

/** What it is shows when it is made. */
const agent: Shape<unknown> = { kind: 'any', schema: undefined, check() {} };

const judge: Shape<JudgeFunction | string> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    if (typeof value !== 'function' && typeof value !== 'string')
      report({ path, message: 'this is no judge', hint: 'a function, or llm:MODEL' });
  },
};

const signal: Shape<AbortSignal> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    // The signals of other realms, as test frameworks have them, are not of our class.
    const { aborted, addEventListener } = Object(value) as Partial<AbortSignal>;
    if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
      report({ path, message: 'this is no AbortSignal' });
  },
};

const url = text({
  isUnquoted: true,
  problemOf: (value) =>
    URL.canParse(value) && /^(https?|grpcs?):$/.test(new URL(value).protocol)
      ? undefined
      : { problem: 'is no URL', hint: 'such as http://127.0.0.1:8000/; a program is { command, args }' },
});

const texts = map(text(), { pattern: '', what: 'a name' });

const place = either<string, Peer>(
  url,
  byKey('whom an actor speaks to', {
    url: object<UrlPeer>({
      url: needed(url, 'Where it is.'),
      headers: optional(texts, 'Sent with every request.'),
      secrets: optional(list(text()), 'What is taken out of whatever comes back.'),
      secretsStay: optional(boolean, 'Whether they are taken out only of what is stored.'),
    }),
    command: object<CommandPeer>({
      command: needed(text({ pattern: '\\S', example: '"node"' }), 'The program.'),
      args: optional(list(text()), 'Its arguments.'),
      env: optional(texts, 'Variables for it.'),
      environment: optional(choice(['clean', 'inherited']), 'What it sees of our own environment.'),
      cwd: optional(text(), 'Where it runs.'),
    }),
  }),
);

const actors = { pattern: '', what: 'the name of an actor' };

const oneAttack = {
  agent: optional(agent, 'Whom to attack.'),
  transport: optional(choice(['http', 'memory']), 'How the servers of the document are reached.'),
  prompt: optional(text(), 'What the user says where the document leaves it open.'),
  timeout: optional(either(positive(), someTime) satisfies Shape<Duration>, 'How long one run may take.'),
  terminalTimeout: optional(either(positive(), someTime), 'How long last phases are served.'),
  gracePeriod: optional(either(number({ least: 0 }), duration), 'How long to look on.'),
  delivery: optional(choice(['payload', 'strict', 'reached']), 'How much must have got through.'),
  projections: optional(boolean, 'Whether indicators are held against more than wire messages.'),
  judge: optional(judge, 'Who decides semantic indicators.'),
  twin: optional(boolean, 'Whether the benign twin is played in place of the attack.'),
  failTier: optional(
    choice(['any', 'ingested', 'local_action', 'boundary_breach']),
    'From which tier on a match fails.',
  ),
  era: optional(choice(['legacy', 'modern']), 'The era that actors speak.'),
  seed: optional(number({ least: 0, most: mostSeed, isWhole: true }), 'What chance is drawn from.'),
  signal: optional(signal, 'Ends the attack.'),
  connect: optional(map(place, actors), 'Whom client actors speak to.'),
  listen: optional(map(number({ least: 0, most: 65_535, isWhole: true }), actors), 'Ports of server actors.'),
  repeat: optional(number({ least: 1, most: mostRuns, isWhole: true }), 'How often the attack is run.'),
  retries: optional(number({ least: 0, most: mostRuns, isWhole: true }), 'How often a run is tried again.'),
  maxRate: optional(number({ least: 0, most: 1 }), 'The share of runs that may succeed.'),
  redact: optional(redaction, 'Whether secrets are masked, or patterns that are masked as well.'),
  out: optional(text({ pattern: '\\S', example: "'oatf-results'" }), 'A folder for results.'),
};

/** The options of `attack`, and of `attackAll`. */
const shapes = {
  attack: object<OneAttack>(oneAttack),
  attackAll: object<SeveralAttacks>({
    ...oneAttack,
    concurrency: optional(number({ least: 1, most: mostRuns, isWhole: true }), 'How many run at a time.'),
  }),
};

/** Throws for options that cannot be meant, with all that is wrong with them. */
export function checkOptions(options: unknown, of: keyof typeof shapes): void {
  if (isNothing(options) || (kindOf(options) === 'mapping' && isNothing((options as OneAttack).agent)))
    throw new NotAttacked('agent: there is nobody to attack', 'a function, what --agent takes, or a target');
  const problems: ConfigProblem[] = [];
  shapes[of].check(options, [], (problem) => problems.push(problem));
  if (problems.length > 0) throw notAttackedFor(problems, 'options');
}

function isNothing(value: unknown): boolean {
  return kindOf(value) === 'nothing';
}

/** Throws where an option speaks of actors that no document has, or that cannot do what it says. */
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
              message: `only ${carriedModes('client', 'stdio')} actors speak to a program`,
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
        message: `no ${what} of what is attacked with has this name`,
        hint: near === undefined ? others : `did you mean ${near}?`,
      };
    });
}

/** All of what is wrong, each with its place; `where` stands for what has none. */
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
      if (value === 0) report({ path, message: 'a run needs some time', hint: "such as 30_000 or '30s'" });
      else check(value, path, report);
    },
  };
}
