import { builtInAgentNames } from '../built-in/built-in-agents.ts';
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
  httpUrlPattern,
  isHttpUrl,
  mostRuns,
  mostSeed,
  ratePatternText,
  shareFrom,
  sharePatternText,
} from './values.ts';

/** Whoever connects by themselves goes by this name. */
export const externalAgent = 'external';

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

/** A URL may hold a password, and a command a key. */
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

/** One that is built in, or the path of a module; and where it goes. */
const reporter = text({
  pattern: `^(${reporterNames.join('|')}|[^=]*[./\\\\][^=]*)(=[\\s\\S]+)?$`,
  problemOf(value) {
    const [name = '', ...file] = value.split('=');
    if (file.length > 0 && file.join('=') === '')
      return { problem: 'names no file behind the equals sign', hint: 'such as junit=junit.xml' };
    if (reporterNames.some((known) => known === name) || /[./\\]/.test(name)) return undefined;
    const near = nearest(name, reporterNames);
    return {
      problem: 'is no reporter',
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
            ? { problem: 'is no document that a file can name', hint: 'files, folders, patterns or ids' }
            : undefined,
      }),
      { least: 1 },
    ),
    'What to run where no documents are named: files, folders, patterns, ids of the library.',
  ),
  agent: optional(
    either(some, list(some, { least: 1 })),
    'What to attack where no --agent is given: names of targets, or what --agent takes.',
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
  prompt: optional(text(), 'What the user says where a document leaves that open.'),
  timeout: optional(someTime, 'How long a run may take, such as 30s; 2m if left out.'),
  terminalTimeout: optional(
    someTime,
    'How long last phases are served once every actor is in its own, such as 10m; 5m if left out.',
  ),
  gracePeriod: optional(duration, 'How long to go on watching once the agent has left.'),
  seed: optional(
    number({ least: 0, most: mostSeed, isWhole: true }),
    'What chance in documents is drawn from; another one for every run if left out.',
  ),
  repeat: optional(number({ least: 1, most: mostRuns, isWhole: true }), 'How often each document is played.'),
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
    'How often an attack may succeed, as 5% or 0.05; never if left out.',
  ),
  concurrency: optional(
    number({ least: 1, most: mostRuns, isWhole: true }),
    'How many runs there are at a time.',
  ),
  rate: optional(
    text({ pattern: ratePatternText, example: '2/s, 30/m or 100/h' }),
    'How often runs begin with each agent, at most.',
  ),
  retries: optional(
    number({ least: 0, most: mostRuns, isWhole: true }),
    'How often a run is tried again that failed for other reasons than the attack.',
  ),
  budget: optional(duration, 'After this time no further run begins.'),
  delivery: optional(
    choice(['payload', 'strict', 'reached']),
    'How much of an attack must have got through for "resisted".',
  ),
  judge: optional(some, 'Who decides semantic indicators: llm:MODEL, or a target that is a language model.'),
  judgeBudget: optional(
    number({ least: 0, most: mostRuns, isWhole: true }),
    'How many questions the judge may be asked in all, those of its exam included.',
  ),
  twins: optional(boolean, 'Whether the benign twins of marked documents are played, too.'),
  failTier: optional(
    choice(['any', 'ingested', 'local_action', 'boundary_breach']),
    'From which tier on a match fails; any if left out.',
  ),
  projections: optional(boolean, 'Whether indicators are held against more than wire messages.'),
  redact: optional(
    redaction,
    'Whether secrets are masked in what is stored; or patterns (RE2) that are masked beside well-known shapes.',
  ),
  reporter: optional(list(reporter), 'Reports at the end, as NAME or NAME=FILE.'),
  baseline: optional(some, 'The verdicts that are accepted, as oatf bless writes them.'),
  out: optional(some, 'Where results go; {{time}} in it is when the call began.'),
  listen: optional(
    map(text({ pattern: addressPattern, example: '127.0.0.1:8080; ports end at 65535' }), actor),
    'Where server actors listen, as HOST:PORT, by the actor’s name; * is any other.',
  ),
  connect: optional(
    map(
      either(
        place,
        object<UrlPlace>({
          url: needed(url, 'Where it is.'),
          headers: optional(headers, 'Values may hold {{env.NAME}}.'),
        }),
      ),
      actor,
    ),
    'Whom client actors speak to in place of the agent, by the actor’s name; * is any other.',
  ),
});

/** More says nothing more. */
const mostProblems = 100;

/** Everything that is wrong with a configuration, in its own order. */
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
    description: 'What oatf attacks, and how.',
    ...config.schema,
  };
}
