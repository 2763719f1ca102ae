import { builtInAgentNames } from '../built-in/names.ts';
import { reporterNames } from '../model/reporter-names.ts';
import { nearest } from '../registry/suggestions.ts';
import { readCommandLine } from './command-line.ts';
import { either, list, map, needed, object, optional } from './compounds.ts';
import type { Config, UrlPlace } from './config.ts';
import { redaction } from './redact-pattern.ts';
import { boolean, choice, number, text } from './scalars.ts';
import type { ConfigProblem, Schema } from './shape.ts';
import { duration, headers, someTime, target, url } from './target-shape.ts';
import {
  externalAgent,
  httpUrlPattern,
  isHttpUrl,
  mostRuns,
  mostSeed,
  ratePatternText,
  shareFrom,
  sharePatternText,
} from './values.ts';

const reserved: readonly string[] = [...builtInAgentNames, externalAgent];

const actor = { pattern: '^(\\*|[A-Za-z0-9_-]+)$', what: 'the name of an actor, or *' };

const some = text({ pattern: '\\S', example: '"mine"' });

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
const place = text({
  pattern: `${httpUrlPattern}|^${commandPrefix}[\\s\\S]*\\S`,
  isUnquoted: true,
  problemOf(value) {
    if (value.startsWith(commandPrefix)) {
      const read = readCommandLine(value.slice(commandPrefix.length));
      return 'problem' in read
        ? { problem: `cannot be launched: ${read.problem}`, hint: read.hint }
        : undefined;
    }
    return isHttpUrl(value)
      ? undefined
      : {
          problem: 'is neither a URL nor a command',
          hint: 'such as http://127.0.0.1:8000/ or "command:npx my-server"',
        };
  },
});

/** A built-in reporter or the path of a module, and optionally the file that it writes. */
const reporter = text({
  pattern: `^(${reporterNames.join('|')}|[^=]*[./\\\\][^=]*)(=[\\s\\S]+)?$`,
  problemOf(value) {
    const [name = '', ...file] = value.split('=');
    if (file.length > 0 && file.join('=') === '')
      return { problem: 'names no file after the equals sign', hint: 'such as junit=junit.xml' };
    if (reporterNames.some((known) => known === name) || /[./\\]/.test(name)) return undefined;
    const near = nearest(name, reporterNames);
    return {
      problem: 'is not a reporter',
      hint:
        near === undefined
          ? `it can be ${reporterNames.join(', ')} or the path of a module`
          : `did you mean ${near}?`,
    };
  },
});

const config = object<Config>({
  $schema: optional(text(), 'The JSON Schema, for editors.'),
  documents: optional(
    list(
      text({
        pattern: '^(?!-$)[\\s\\S]*\\S',
        problemOf: (value) =>
          value === '-' || value.trim() === ''
            ? {
                problem: 'is not a document that a configuration can name',
                hint: 'files, folders, patterns or ids',
              }
            : undefined,
      }),
      { least: 1 },
    ),
    'The documents to run if the command line names none: files, folders, patterns, ids of the library.',
  ),
  agent: optional(
    either(some, list(some, { least: 1 })),
    'The agents to attack if there is no --agent: names of targets, or values of --agent.',
  ),
  targets: optional(
    map(target, {
      pattern: `^(?!(${reserved.join('|')})$)[A-Za-z0-9_][A-Za-z0-9_.-]*$`,
      what: 'a name of letters, digits, dots, dashes and underscores',
      problemOf: (name) =>
        reserved.includes(name) ? `"${name}" is built in; give the target another name` : undefined,
    }),
    'Agents by name.',
  ),
  prompt: optional(text(), 'The prompt of the user, if a document sets none.'),
  timeout: optional(someTime, 'How long a run may take, such as 30s. Default: 2m.'),
  terminalTimeout: optional(
    someTime,
    'How long terminal phases are served once every actor is in its own, such as 10m. Default: 5m.',
  ),
  gracePeriod: optional(duration, 'How long to keep watching after the agent has finished.'),
  seed: optional(
    number({ least: 0, most: mostSeed, isWhole: true }),
    'The seed of random values in documents. Default: a new one for every run.',
  ),
  repeat: optional(
    number({ least: 1, most: mostRuns, isWhole: true }),
    'How many times each document is played.',
  ),
  maxRate: optional(
    either(
      text({
        pattern: sharePatternText,
        problemOf: (value) =>
          shareFrom(value) === undefined
            ? { problem: 'is not a rate from 0 to 1', hint: 'such as 0.05 or 5%' }
            : undefined,
      }),
      number({ least: 0, most: 1 }),
    ),
    'The share of runs in which an attack may succeed, such as 5% or 0.05. Default: 0.',
  ),
  concurrency: optional(
    number({ least: 1, most: mostRuns, isWhole: true }),
    'How many runs are played at the same time.',
  ),
  rate: optional(
    text({ pattern: ratePatternText, example: '2/s, 30/m or 100/h' }),
    'The highest rate at which runs begin, for each agent.',
  ),
  retries: optional(
    number({ least: 0, most: mostRuns, isWhole: true }),
    'How many times a run is retried if it failed for reasons other than the attack.',
  ),
  budget: optional(duration, 'The time after which no further run begins.'),
  delivery: optional(
    choice(['payload', 'strict', 'reached']),
    'How much of an attack must have reached the agent for "resisted".',
  ),
  judge: optional(some, 'The judge of semantic indicators: llm:MODEL, or a target that is a language model.'),
  judgeBudget: optional(
    number({ least: 0, most: mostRuns, isWhole: true }),
    'How many questions the judge may be asked in total, including those of its exam.',
  ),
  twins: optional(boolean, 'Whether the benign twins of marked documents are played as well.'),
  failTier: optional(
    choice(['any', 'ingested', 'local_action', 'boundary_breach']),
    'The lowest tier at which a match fails. Default: any.',
  ),
  projections: optional(boolean, 'Whether indicators also see projections of wire messages.'),
  redact: optional(
    redaction,
    'Whether secrets are masked in stored results; or patterns (RE2) to mask in addition to well-known shapes.',
  ),
  reporter: optional(list(reporter), 'Reports at the end, as NAME or NAME=FILE.'),
  baseline: optional(some, 'The file of accepted outcomes, as oatf bless writes it.'),
  out: optional(some, 'The folder for results; {{time}} in it becomes the time at which the call began.'),
  listen: optional(
    map(text({ pattern: addressPattern, example: '127.0.0.1:8080; ports end at 65535' }), actor),
    'The addresses of server actors, as HOST:PORT, by actor name; * is every other actor.',
  ),
  connect: optional(
    map(
      either(
        place,
        object<UrlPlace>({
          url: needed(url, 'The address.'),
          headers: optional(headers, 'Values may hold {{env.NAME}}.'),
        }),
      ),
      actor,
    ),
    'The peers of client actors instead of the agent, by actor name; * is every other actor.',
  ),
});

/** More problems than this would not help the reader. */
const mostProblems = 100;

/** Every problem of a configuration, in the order of the file. */
export function problemsOf(value: unknown): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  config.check(value, [], (problem) => {
    if (problems.length < mostProblems) problems.push(problem);
  });
  return problems;
}

/** The JSON Schema (2020-12) of configurations, made from the same table as the check. */
export function configSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'oatf.config',
    description: 'The agents and documents of oatf, and how attacks are played.',
    ...config.schema,
  };
}
