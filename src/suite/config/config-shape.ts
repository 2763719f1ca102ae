import texts from '../../../data/config-texts.json' with { type: 'json' };
import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { reporterNames } from '../../format/model/reporter-names.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { readCommandLine } from './command-line.ts';
import { eitherShape, listShape, mapShape, neededField, objectShape } from './compound-shapes.ts';
import type { Config, UrlPlace } from './config.ts';
import { redactionShape } from './redact-pattern.ts';
import { booleanShape, choiceShape, numberShape, textShape } from './scalar-shapes.ts';
import type { ConfigProblem, SettingSchema } from './setting-shape.ts';
import { durationShape, headersShape, positiveDurationShape, targetShape, urlShape } from './target-shape.ts';
import {
  externalAgent,
  httpUrlPattern,
  isHttpUrl,
  mostRuns,
  mostSeed,
  ratePatternText,
  shareFrom,
  sharePatternText,
} from './value-patterns.ts';

const reserved: readonly string[] = [...builtInAgentNames, externalAgent];

const rateShape = eitherShape(
  textShape({
    pattern: sharePatternText,
    findProblem: (value) =>
      shareFrom(value) === undefined ? { problem: 'is not a rate from 0 to 1', hint: 'such as 0.05 or 5%' } : undefined,
  }),
  numberShape({ least: 0, most: 1 }),
);

const actor = { pattern: '^(\\*|[A-Za-z0-9_-]+)$', what: 'the name of an actor, or *' };

const some = textShape({ pattern: '\\S', example: '"mine"' });

const addressPattern = `^(\\[[^\\]]+\\]|[^:[\\]]+):(${[
  '[0-9]{1,4}',
  '[0-5][0-9]{4}',
  '6[0-4][0-9]{3}',
  '65[0-4][0-9]{2}',
  '655[0-2][0-9]',
  '6553[0-5]',
].join('|')})$`;

const commandPrefix = 'command:';

/** Not quoted in messages: a URL may hold a password, and a command a key. */
const place = textShape({
  pattern: `${httpUrlPattern}|^${commandPrefix}[\\s\\S]*\\S`,
  isUnquoted: true,
  findProblem(value) {
    if (value.startsWith(commandPrefix)) {
      const read = readCommandLine(value.slice(commandPrefix.length));
      return 'problem' in read ? { problem: `cannot be launched: ${read.problem}`, hint: read.hint } : undefined;
    }
    return isHttpUrl(value)
      ? undefined
      : {
          problem: 'is neither a URL nor a command',
          hint: 'such as http://127.0.0.1:8000/ or "command:node my-server.mjs"',
        };
  },
});

/** A built-in reporter or the path of a module, and optionally the file that it writes. */
const reporter = textShape({
  pattern: `^(${reporterNames.join('|')}|[^=]*[./\\\\][^=]*)(=[\\s\\S]+)?$`,
  findProblem(value) {
    const [name = '', ...file] = value.split('=');
    if (file.length > 0 && file.join('=') === '')
      return { problem: 'names no file after the equals sign', hint: 'such as junit=junit.xml' };
    if (reporterNames.some((known) => known === name) || /[./\\]/.test(name)) return undefined;
    const near = findNearest(name, reporterNames);
    return {
      problem: 'is not a reporter',
      hint:
        near === undefined ? `it can be ${reporterNames.join(', ')} or the path of a module` : `did you mean ${near}?`,
    };
  },
});

const config = objectShape<Config>(
  {
    $schema: textShape(),
    documents: listShape(
      textShape({
        pattern: '^(?!-$)[\\s\\S]*\\S',
        findProblem: (value) =>
          value === '-' || value.trim() === ''
            ? {
                problem: 'is not a document that a configuration can name',
                hint: 'files, folders, patterns or ids',
              }
            : undefined,
      }),
      { least: 1 },
    ),
    agent: eitherShape(some, listShape(some, { least: 1 })),
    targets: mapShape(targetShape, {
      pattern: `^(?!(${reserved.join('|')})$)[A-Za-z0-9_][A-Za-z0-9_.-]*$`,
      what: 'a name of letters, digits, dots, dashes and underscores',
      findProblem: (name) =>
        reserved.includes(name) ? `"${name}" is built in; give the target another name` : undefined,
    }),
    prompt: textShape(),
    timeout: positiveDurationShape,
    terminalTimeout: positiveDurationShape,
    gracePeriod: durationShape,
    seed: numberShape({ least: 0, most: mostSeed, isWhole: true }),
    canaries: choiceShape(['as_written', 'fresh']),
    repeat: numberShape({ least: 1, most: mostRuns, isWhole: true }),
    maxRate: rateShape,
    concurrency: numberShape({ least: 1, most: mostRuns, isWhole: true }),
    rate: textShape({ pattern: ratePatternText, example: '2/s, 30/m or 100/h' }),
    retries: numberShape({ least: 0, most: mostRuns, isWhole: true }),
    budget: durationShape,
    delivery: choiceShape(['payload', 'strict', 'reached']),
    judge: some,
    judgeBudget: numberShape({ least: 0, most: mostRuns, isWhole: true }),
    twins: booleanShape,
    minUtility: rateShape,
    failTier: choiceShape(['any', 'ingested', 'local_action', 'boundary_breach']),
    projections: booleanShape,
    redact: redactionShape,
    reporter: listShape(reporter),
    baseline: some,
    out: some,
    listen: mapShape(textShape({ pattern: addressPattern, example: '127.0.0.1:8080; ports end at 65535' }), actor),
    connect: mapShape(
      eitherShape(
        place,
        objectShape<UrlPlace>(
          {
            url: neededField(urlShape),
            headers: headersShape,
          },
          texts.place,
        ),
      ),
      actor,
    ),
  },
  texts.config,
);

/** More problems than this would not help the reader. */
const mostProblems = 100;

/** Every problem of a configuration, in the order of the file. */
export function findConfigProblems(value: unknown): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  config.check(value, [], (problem) => {
    if (problems.length < mostProblems) problems.push(problem);
  });
  return problems;
}

/** The JSON Schema (2020-12) of configurations, made from the same table as the check. */
export function createConfigSchema(): SettingSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'oatf.config',
    description: 'The agents and documents of oatf, and how attacks are played.',
    ...config.schema,
  };
}
