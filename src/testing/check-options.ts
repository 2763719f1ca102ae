import type { JudgeFunction } from '../agents/adapters/judging.ts';
import type { CommandPeer, McpPeer, UrlPeer } from '../attack/transport/mcp-client/mcp-client-transport.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { NormalizedActor, NormalizedDocument } from '../format/model/normalized.ts';
import { formatPath } from '../format/model/path.ts';
import { isClientMode } from '../format/registry/known-modes.ts';
import { findNearest } from '../format/registry/suggestions.ts';
import {
  eitherShape,
  listShape,
  mapShape,
  neededField,
  objectShape,
  shapeByKey,
} from '../suite/config/compound-shapes.ts';
import { redactionShape } from '../suite/config/redact-pattern.ts';
import { booleanShape, choiceShape, numberShape, textShape } from '../suite/config/scalar-shapes.ts';
import { type ConfigProblem, classifySetting, type SettingShape } from '../suite/config/setting-shape.ts';
import { durationShape, positiveDurationShape } from '../suite/config/target-shape.ts';
import { mostRuns, mostSeed } from '../suite/config/value-patterns.ts';
import { canListen, formatCarriedModes, isCarried } from '../suite/play/playable-modes.ts';
import type { AttackOptions, Duration, EveryAttackOptions } from './attack-options.ts';
import { NotAttacked } from './not-attacked.ts';

// The allowed options, one row for each. An unknown or invalid option is always an error: the verdict may depend on it.

interface OneAttack extends EveryAttackOptions {
  readonly agent?: unknown;
  readonly transport?: 'http' | 'memory' | undefined;
}

interface SeveralAttacks extends OneAttack {
  readonly minUtility?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** Not checked here: `resolveAgent` checks the agent when it builds it. */
const agent: SettingShape<unknown> = { kind: 'any', schema: undefined, check() {} };

const judge: SettingShape<JudgeFunction | string> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    if (typeof value !== 'function' && typeof value !== 'string')
      report({ path, message: 'this is not a judge', hint: 'a function, or llm:MODEL' });
  },
};

const signal: SettingShape<AbortSignal> = {
  kind: 'any',
  schema: undefined,
  check(value, path, report) {
    // Test frameworks run code in other realms, whose AbortSignal is a different class: `instanceof` would fail.
    const { aborted, addEventListener } = Object(value) as Partial<AbortSignal>;
    if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
      report({ path, message: 'this is not an AbortSignal' });
  },
};

const url = textShape({
  isUnquoted: true,
  findProblem: (value) =>
    URL.canParse(value) && /^(https?|grpcs?):$/.test(new URL(value).protocol)
      ? undefined
      : { problem: 'is not a URL', hint: 'such as http://127.0.0.1:8000/; a program is { command, args }' },
});

const texts = mapShape(textShape(), { pattern: '', what: 'a name' });

const place = eitherShape<string, McpPeer>(
  url,
  shapeByKey('the peer of an actor', {
    url: objectShape<UrlPeer>({
      url: neededField(url),
      headers: texts,
      secrets: listShape(textShape()),
      secretsStay: booleanShape,
    }),
    command: objectShape<CommandPeer>({
      command: neededField(textShape({ pattern: '\\S', example: '"node"' })),
      args: listShape(textShape()),
      env: texts,
      environment: choiceShape(['clean', 'inherited']),
      cwd: textShape(),
    }),
  }),
);

const actors = { pattern: '', what: 'the name of an actor' };

const oneAttack = {
  agent: agent,
  transport: choiceShape(['http', 'memory']),
  prompt: textShape(),
  timeout: eitherShape(positiveShape(), positiveDurationShape) satisfies SettingShape<Duration>,
  terminalTimeout: eitherShape(positiveShape(), positiveDurationShape),
  gracePeriod: eitherShape(numberShape({ least: 0 }), durationShape),
  delivery: choiceShape(['payload', 'strict', 'reached']),
  projections: booleanShape,
  judge: judge,
  twin: booleanShape,
  twins: booleanShape,
  failTier: choiceShape(['any', 'ingested', 'local_action', 'boundary_breach']),
  era: choiceShape(['legacy', 'modern']),
  seed: numberShape({ least: 0, most: mostSeed, isWhole: true }),
  canaries: choiceShape(['as_written', 'fresh']),
  signal: signal,
  connect: mapShape(place, actors),
  listen: mapShape(numberShape({ least: 0, most: 65_535, isWhole: true }), actors),
  repeat: numberShape({ least: 1, most: mostRuns, isWhole: true }),
  retries: numberShape({ least: 0, most: mostRuns, isWhole: true }),
  maxRate: numberShape({ least: 0, most: 1 }),
  redact: redactionShape,
  out: textShape({ pattern: '\\S', example: "'oatf-results'" }),
};

/** The options of `attack`, and of `attackAll`. */
const shapes = {
  attack: objectShape<OneAttack>(oneAttack),
  attackAll: objectShape<SeveralAttacks>({
    ...oneAttack,
    minUtility: numberShape({ least: 0, most: 1 }),
    concurrency: numberShape({ least: 1, most: mostRuns, isWhole: true }),
  }),
};

/** Throws if options are invalid; the error lists every problem. */
export function checkOptions(options: unknown, of: keyof typeof shapes): void {
  if (isNothing(options) || (classifySetting(options) === 'mapping' && isNothing((options as OneAttack).agent)))
    throw new NotAttacked('agent: no agent is given', 'a function, what --agent takes, or a target');
  const problems: ConfigProblem[] = [];
  shapes[of].check(options, [], (problem) => problems.push(problem));
  if (problems.length > 0) throw createOptionError(problems, 'options');
}

function isNothing(value: unknown): boolean {
  return classifySetting(value) === 'nothing';
}

/** Throws if an option names an actor that no document has, or one that cannot do what the option asks. */
export function checkActors(
  { listen = {}, connect = {}, transport }: AttackOptions,
  documents: readonly NormalizedDocument[],
): void {
  const all = documents.flatMap(({ attack }) => attack.execution.actors);
  const problems = [
    ...findNameProblems(
      'listen',
      Object.keys(listen),
      all.filter((actor) => canListen(actor) && !(transport === 'memory' && isCarried(actor.mode, 'server', 'memory'))),
      transport === 'memory' ? 'server that takes a port' : 'server',
    ),
    ...findNameProblems(
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
              message: `only ${formatCarriedModes('client', 'stdio')} actors can connect to a program`,
            },
          ]
        : [],
    ),
  ];
  if (problems.length > 0) throw createOptionError(problems, 'options');
}

function findNameProblems(
  option: string,
  named: readonly string[],
  meant: readonly NormalizedActor[],
  what: string,
): readonly ConfigProblem[] {
  const known = [...new Set(meant.map(({ name }) => name))];
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = findNearest(name, known);
      const others = known.length === 0 ? 'there is none' : `it can be ${known.slice(0, 20).join(', ')}`;
      return {
        path: [option, name],
        message: `no ${what} in these documents has this name`,
        hint: near === undefined ? others : `did you mean ${near}?`,
      };
    });
}

/** An error that lists all problems, each with its path; `where` replaces an empty path. */
export function createOptionError(problems: readonly ConfigProblem[], where: string): NotAttacked {
  const lines = problems.slice(0, 20).map(({ path, message, hint }) => {
    const place = path.length === 0 ? where : formatPath(path);
    return `${escapeInvisible(`${place}: ${message}`)}${hint === undefined ? '' : `\n  hint: ${escapeInvisible(hint)}`}`;
  });
  return new NotAttacked(lines.join('\n'));
}

function positiveShape(): SettingShape<number> {
  const { check, ...shape } = numberShape({ least: 0 });
  return {
    ...shape,
    check(value, path, report) {
      if (value === 0) report({ path, message: 'must be longer than zero', hint: "such as 30_000 or '30s'" });
      else check(value, path, report);
    },
  };
}
