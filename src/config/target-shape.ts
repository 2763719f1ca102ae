import type { AgentFunction } from '../agent/function-agent.ts';
import type {
  A2aTarget,
  AgUiTarget,
  CommandTarget,
  Configure,
  FunctionTarget,
  HttpTarget,
  LlmTarget,
  Start,
} from '../agent/targets.ts';
import { llmApis } from '../built-in/built-in-agents.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { patterns } from '../registry/fields.ts';
import { surfaceNames } from '../registry/pieces.ts';
import { byKey, either, list, map, needed, object, optional } from './compounds.ts';
import { anything, boolean, choice, func, number, type TextProblem, text } from './scalars.ts';
import { httpUrlPattern, isHttpUrl } from './values.ts';

// What a target may say, a row for each field of its type.

function problemOfDuration(value: string): TextProblem | undefined {
  const read = parseDuration(value);
  if (typeof read === 'number') return undefined;
  return { problem: 'is not a duration', ...(read.hint !== undefined && { hint: read.hint }) };
}

/** No longer than can be counted in whole seconds. */
const countable = `(?!.*[0-9]{12})${patterns.duration}`;

export const duration = text({ pattern: countable, example: '30s or 5m', problemOf: problemOfDuration });

/** A duration that is not nothing. */
export const someTime = text({
  pattern: `(?=.*[1-9])${countable}`,
  example: '30s or 5m',
  problemOf: (value) =>
    problemOfDuration(value) ??
    (/[1-9]/.test(value) ? undefined : { problem: 'is no time at all', hint: 'such as 30s or 5m' }),
});

/** A URL may hold a password. */
export const url = text({
  pattern: `(?![\\s\\S]*\\{\\{)${httpUrlPattern}`,
  isUnquoted: true,
  problemOf: (value) => (isHttpUrl(value) ? openUrl(value) : noUrl),
});

function openUrl(value: string): TextProblem | undefined {
  return value.includes('{{')
    ? { problem: 'has placeholders', hint: 'headers and bodies have them' }
    : undefined;
}
const noUrl = { problem: 'is no http or https URL', hint: 'such as http://127.0.0.1:8000/' };

const example = '"node agent.js"';
const word = text({ pattern: '^[^\\0]*$', problemOf: problemOfWord });
const command = either(
  text({ pattern: '^[^\\0]*[^\\s\\0][^\\0]*$', example, problemOf: problemOfWord }),
  list(word, {
    least: 1,
    first: text({
      pattern: '^[^\\0]*[^\\s\\0][^\\0]*$',
      problemOf: (value) =>
        problemOfWord(value) ??
        (value.trim() === '' ? { problem: 'is no program', hint: 'such as node' } : undefined),
    }),
  }),
);

function problemOfWord(value: string): TextProblem | undefined {
  return value.includes('\0') ? { problem: 'has a NUL character, which no command can' } : undefined;
}

const size = text({
  pattern: [
    '^\\s*(?=[0-9.]*[1-9])[0-9]+(\\.[0-9]{1,3})?\\s*[kKmMgG][bB]\\s*$',
    '^\\s*[0-9]*[1-9][0-9]*(\\.[0-9]{1,3})?\\s*[bB]\\s*$',
  ].join('|'),
  example: '500kB, 8MB or 1.5GB',
});

const variables = map(text(), { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', what: 'the name of a variable' });

export const headers = map(text(), {
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  what: 'the name of a header',
});

/** No folder, none that leads out, and nothing at the root. */
const innerPath = '^(?!/)(?![\\s\\S]*(?:^|/)\\.\\.(?:/|$))(?![\\s\\S]*(?:^|/)\\.?$)[^\\0]+$';

const a2aUrl = text({
  pattern: `(?![\\s\\S]*\\{\\{)^([hH][tT][tT][pP]|[gG][rR][pP][cC])[sS]?://[^\\s/?#\\\\]`,
  isUnquoted: true,
  example: 'http://127.0.0.1:8000/',
  problemOf: openUrl,
});

/** A service alone is no model. */
const modelPattern = `^(?!(${llmApis.join('|')})/\\s*$)[\\s\\S]*\\S`;

const environment = choice(['clean', 'inherited']);
const method = choice(['POST', 'PUT', 'PATCH']);

const anyTarget = {
  prompt: optional(text(), 'What its user says where the document leaves that open.'),
  without: optional(
    list(choice(surfaceNames)),
    'Surfaces that it does not have: attacks that need one do not apply to it.',
  ),
};

const start = object<Start>({
  command: needed(command, 'The program and its arguments.'),
  env: optional(variables, 'Variables for it.'),
  environment: optional(environment, 'What it sees of our own environment; clean if left out.'),
  cwd: optional(text(), 'Where it runs.'),
  health: optional(url, 'Answers with a status below 400 once the server is ready.'),
  timeout: optional(someTime, 'How long it may take to be ready; 30s if left out.'),
});

const configure = object<Configure>({
  url: needed(url, 'Where the request goes.'),
  method: optional(method, 'POST if left out.'),
  headers: optional(headers, 'Values may hold {{env.NAME}}.'),
  body: optional(anything, 'With placeholders such as {{mcp_config}} and {{run}}.'),
});

const servedTarget = {
  headers: optional(headers, 'Sent along; values may hold {{env.NAME}}.'),
  start: optional(start, 'Starts the server once, before the first run, and ends it after the last.'),
  configure: optional(configure, 'A request before each run, which tells the server of its endpoints.'),
};

export const target = byKey('a target', {
  command: object<CommandTarget>({
    ...anyTarget,
    command: needed(
      command,
      'The program and its arguments, launched for each run; with placeholders such as {{prompt}} and {{mcp_config}}.',
    ),
    followUp: optional(command, 'The command of the turns after the first, where it is another one.'),
    env: optional(variables, 'Variables for it; with placeholders.'),
    environment: optional(environment, 'What it sees of our own environment; clean if left out.'),
    files: optional(
      map(text(), { pattern: innerPath, what: 'the path of a file within the fresh folder' }),
      'Files that are written into its fresh folder, by relative path; with placeholders.',
    ),
    cwd: optional(text(), 'Where it runs, in place of a fresh folder.'),
    stdin: optional(choice(['prompt', 'input', 'nothing']), 'What it reads on its standard input.'),
    output: optional(choice(['text', 'json', 'jsonl']), 'What its standard output is; text if left out.'),
    answer: optional(text(), 'Where the answer is in the output: an RFC 9535 path such as $.result.'),
    pieces: optional(boolean, 'With jsonl: whether answers are pieces of one text.'),
    turns: optional(choice(['launch', 'keep']), 'Whether each turn is a launch, or a line to one process.'),
    mcp: optional(choice(['http', 'stdio']), 'How it is told of MCP servers; http if left out.'),
    timeout: optional(someTime, 'How long one turn may take.'),
    maxOutput: optional(size, 'Of its output, such as 8MB.'),
    maxMemory: optional(size, 'Of it and all that it has started, such as 2GB.'),
  }),
  agUi: object<AgUiTarget>({
    ...anyTarget,
    ...servedTarget,
    agUi: needed(url, 'The URL of a server that speaks AG-UI.'),
  }),
  http: object<HttpTarget>({
    ...anyTarget,
    ...servedTarget,
    http: needed(url, 'The URL of a server with a JSON endpoint of its own.'),
    method: optional(method, 'POST if left out.'),
    body: optional(
      anything,
      'The body of the request; with placeholders such as {{prompt}}, {{messages}} and {{thread}}.',
    ),
    answer: optional(text(), 'Where the answer is in the response: an RFC 9535 path such as $.reply.'),
  }),
  a2a: object<A2aTarget>({
    ...anyTarget,
    ...servedTarget,
    a2a: needed(a2aUrl, 'The URL of a server that speaks A2A, or of its card.'),
  }),
  llm: object<LlmTarget>({
    ...anyTarget,
    llm: needed(
      text({ pattern: modelPattern, example: 'gpt-5-mini' }),
      'A model, as behind llm: of --agent.',
    ),
    baseUrl: optional(url, 'Where the model is.'),
    keyFile: optional(text(), 'A file that holds the key and nothing else.'),
    keyEnv: optional(
      // Somebody may have put the key itself there.
      text({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', example: 'MY_KEY', isUnquoted: true }),
      'The variable that holds the key.',
    ),
    temperature: optional(number({ least: 0, most: 2 }), 'As the model’s service has it.'),
    maxTokens: optional(number({ least: 1, isWhole: true }), 'Of one answer.'),
    systemPrompt: optional(text(), 'What the agent is told before everything else.'),
    stream: optional(boolean, 'Whether its service is asked for answers piece by piece; true if left out.'),
    tools: optional(
      choice(['native', 'text']),
      'How tools are offered: native as the API has it, text in words to a model that has none.',
    ),
    prices: optional(
      object<NonNullable<LlmTarget['prices']>>({
        input: needed(number({ least: 0 }), 'For a million tokens that go in.'),
        output: needed(number({ least: 0 }), 'For a million tokens that come out.'),
      }),
      'For a million tokens, in any currency: gives the cost of each run.',
    ),
  }),
  function: object<FunctionTarget>({
    ...anyTarget,
    function: needed(func<AgentFunction>(), 'An agent in this process.'),
  }),
});
