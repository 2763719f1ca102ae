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

// The fields of a target, one row for each field of its type.

function problemOfDuration(value: string): TextProblem | undefined {
  const read = parseDuration(value);
  if (typeof read === 'number') return undefined;
  return { problem: 'is not a duration', ...(read.hint !== undefined && { hint: read.hint }) };
}

/** Durations with at most eleven digits in a row, so that their seconds can be counted exactly. */
const countable = `(?!.*[0-9]{12})${patterns.duration}`;

export const duration = text({ pattern: countable, example: '30s or 5m', problemOf: problemOfDuration });

/** A duration longer than zero. */
export const someTime = text({
  pattern: `(?=.*[1-9])${countable}`,
  example: '30s or 5m',
  problemOf: (value) =>
    problemOfDuration(value) ??
    (/[1-9]/.test(value) ? undefined : { problem: 'must be longer than zero', hint: 'such as 30s or 5m' }),
});

/** Not quoted in messages, because a URL may hold a password. */
export const url = text({
  pattern: `(?![\\s\\S]*\\{\\{)${httpUrlPattern}`,
  isUnquoted: true,
  problemOf: (value) => (isHttpUrl(value) ? openUrl(value) : noUrl),
});

function openUrl(value: string): TextProblem | undefined {
  return value.includes('{{')
    ? { problem: 'has placeholders', hint: 'only headers and bodies can have them' }
    : undefined;
}
const noUrl = { problem: 'is not an http or https URL', hint: 'such as http://127.0.0.1:8000/' };

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
        (value.trim() === '' ? { problem: 'is not a program', hint: 'such as node' } : undefined),
    }),
  }),
);

function problemOfWord(value: string): TextProblem | undefined {
  return value.includes('\0') ? { problem: 'has a NUL character, which no command can contain' } : undefined;
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

/** The path of a file within the folder: not absolute, not a folder, and without a step up. */
const innerPath = '^(?!/)(?![\\s\\S]*(?:^|/)\\.\\.(?:/|$))(?![\\s\\S]*(?:^|/)\\.?$)[^\\0]+$';

const a2aUrl = text({
  pattern: `(?![\\s\\S]*\\{\\{)^([hH][tT][tT][pP]|[gG][rR][pP][cC])[sS]?://[^\\s/?#\\\\]`,
  isUnquoted: true,
  example: 'http://127.0.0.1:8000/',
  problemOf: openUrl,
});

/** The name of a service alone does not name a model. */
const modelPattern = `^(?!(${llmApis.join('|')})/\\s*$)[\\s\\S]*\\S`;

const environment = choice(['clean', 'inherited']);
const method = choice(['POST', 'PUT', 'PATCH']);

const anyTarget = {
  prompt: optional(text(), 'The prompt of its user, if the document sets none.'),
  without: optional(
    list(choice(surfaceNames)),
    'Surfaces that the agent lacks: attacks that need one do not apply to it.',
  ),
};

const start = object<Start>({
  command: needed(command, 'The program and its arguments.'),
  env: optional(variables, 'Environment variables for it.'),
  environment: optional(environment, 'How much of our environment it inherits. Default: clean.'),
  cwd: optional(text(), 'Its working directory.'),
  health: optional(url, 'A URL that answers with a status below 400 once the server is ready.'),
  timeout: optional(someTime, 'How long it may take to become ready. Default: 30s.'),
});

const configure = object<Configure>({
  url: needed(url, 'Where the request goes.'),
  method: optional(method, 'Default: POST.'),
  headers: optional(headers, 'Values may hold {{env.NAME}}.'),
  body: optional(
    anything,
    'The body of the request; it may hold placeholders such as {{mcp_config}} and {{run}}.',
  ),
});

const servedTarget = {
  headers: optional(headers, 'Headers of every request; values may hold {{env.NAME}}.'),
  start: optional(start, 'Starts the server once, before the first run, and ends it after the last.'),
  configure: optional(configure, 'A request before each run that tells the server its endpoints.'),
};

export const target = byKey('a target', {
  command: object<CommandTarget>({
    ...anyTarget,
    command: needed(
      command,
      'The program and its arguments, launched for each run; may hold placeholders such as {{prompt}} and {{mcp_config}}.',
    ),
    followUp: optional(command, 'The command of the turns after the first, if it differs.'),
    env: optional(variables, 'Environment variables for it; values may hold placeholders.'),
    environment: optional(environment, 'How much of our environment it inherits. Default: clean.'),
    files: optional(
      map(text(), { pattern: innerPath, what: 'the path of a file within the new folder' }),
      'Files to write into its new folder, by relative path; texts may hold placeholders.',
    ),
    cwd: optional(text(), 'Its working directory, instead of a new folder.'),
    stdin: optional(choice(['prompt', 'input', 'nothing']), 'What it reads on its standard input.'),
    output: optional(choice(['text', 'json', 'jsonl']), 'The format of its standard output. Default: text.'),
    answer: optional(text(), 'The place of the answer in the output: an RFC 9535 path such as $.result.'),
    pieces: optional(boolean, 'With jsonl: whether answers are pieces of one text.'),
    turns: optional(choice(['launch', 'keep']), 'Whether each turn is a launch, or a line to one process.'),
    mcp: optional(choice(['http', 'stdio']), 'How it reaches MCP servers. Default: http.'),
    timeout: optional(someTime, 'How long one turn may take.'),
    maxOutput: optional(size, 'The most output it may write, such as 8MB.'),
    maxMemory: optional(size, 'The most memory it and its child processes may use, such as 2GB.'),
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
    method: optional(method, 'Default: POST.'),
    body: optional(
      anything,
      'The body of the request; may hold placeholders such as {{prompt}}, {{messages}} and {{thread}}.',
    ),
    answer: optional(text(), 'The place of the answer in the response: an RFC 9535 path such as $.reply.'),
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
      'A model, written as after llm: in --agent.',
    ),
    baseUrl: optional(url, 'The address of the model’s API.'),
    keyFile: optional(text(), 'A file that holds the key and nothing else.'),
    keyEnv: optional(
      // Not quoted in messages, because a user may have written the key itself here.
      text({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', example: 'MY_KEY', isUnquoted: true }),
      'The environment variable that holds the key.',
    ),
    temperature: optional(
      number({ least: 0, most: 2 }),
      'The temperature, as the model’s service defines it.',
    ),
    maxTokens: optional(number({ least: 1, isWhole: true }), 'The most tokens of one answer.'),
    systemPrompt: optional(text(), 'The system prompt of the agent.'),
    stream: optional(boolean, 'Whether answers are streamed. Default: true.'),
    tools: optional(
      choice(['native', 'text']),
      'How tools are offered: native uses the API’s tools; text describes them in words, for a model without tools.',
    ),
    prices: optional(
      object<NonNullable<LlmTarget['prices']>>({
        input: needed(number({ least: 0 }), 'The price of a million input tokens.'),
        output: needed(number({ least: 0 }), 'The price of a million output tokens.'),
      }),
      'Prices in any currency; they give the cost of each run.',
    ),
  }),
  function: object<FunctionTarget>({
    ...anyTarget,
    function: needed(func<AgentFunction>(), 'An agent in this process.'),
  }),
});
