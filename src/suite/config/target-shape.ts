import type { AgentFunction } from '../../agents/adapters/function-agent.ts';
import type {
  A2aTarget,
  AgUiTarget,
  CommandTarget,
  Configure,
  FunctionTarget,
  HttpTarget,
  LlmTarget,
  Start,
} from '../../agents/adapters/targets.ts';
import { llmApis } from '../../agents/built-in/built-in-agents.ts';
import { parseDuration } from '../../format/primitives/parse-duration.ts';
import { patterns } from '../../format/registry/fields.ts';
import { surfaceNames } from '../../format/registry/piece-kinds.ts';
import {
  eitherShape,
  listShape,
  mapShape,
  neededField,
  objectShape,
  optionalField,
  shapeByKey,
} from './compound-shapes.ts';
import {
  anyShape,
  booleanShape,
  choiceShape,
  functionShape,
  numberShape,
  type TextProblem,
  textShape,
} from './scalar-shapes.ts';
import { httpUrlPattern, isHttpUrl } from './value-patterns.ts';

// The fields of a target, one row for each field of its type.

function findDurationProblem(value: string): TextProblem | undefined {
  const read = parseDuration(value);
  if (typeof read === 'number') return undefined;
  return { problem: 'is not a duration', ...(read.hint !== undefined && { hint: read.hint }) };
}

/** Durations with at most eleven digits in a row, so that their seconds can be counted exactly. */
const countable = `(?!.*[0-9]{12})${patterns.duration}`;

export const durationShape = textShape({
  pattern: countable,
  example: '30s or 5m',
  problemOf: findDurationProblem,
});

/** A duration longer than zero. */
export const positiveDurationShape = textShape({
  pattern: `(?=.*[1-9])${countable}`,
  example: '30s or 5m',
  problemOf: (value) =>
    findDurationProblem(value) ??
    (/[1-9]/.test(value) ? undefined : { problem: 'must be longer than zero', hint: 'such as 30s or 5m' }),
});

/** Not quoted in messages, because a URL may hold a password. */
export const urlShape = textShape({
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
const word = textShape({ pattern: '^[^\\0]*$', problemOf: findWordProblem });
const command = eitherShape(
  textShape({ pattern: '^[^\\0]*[^\\s\\0][^\\0]*$', example, problemOf: findWordProblem }),
  listShape(word, {
    least: 1,
    first: textShape({
      pattern: '^[^\\0]*[^\\s\\0][^\\0]*$',
      problemOf: (value) =>
        findWordProblem(value) ??
        (value.trim() === '' ? { problem: 'is not a program', hint: 'such as node' } : undefined),
    }),
  }),
);

function findWordProblem(value: string): TextProblem | undefined {
  return value.includes('\0') ? { problem: 'has a NUL character, which no command can contain' } : undefined;
}

const size = textShape({
  pattern: [
    '^\\s*(?=[0-9.]*[1-9])[0-9]+(\\.[0-9]{1,3})?\\s*[kKmMgG][bB]\\s*$',
    '^\\s*[0-9]*[1-9][0-9]*(\\.[0-9]{1,3})?\\s*[bB]\\s*$',
  ].join('|'),
  example: '500kB, 8MB or 1.5GB',
});

const variables = mapShape(textShape(), {
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  what: 'the name of a variable',
});

export const headersShape = mapShape(textShape(), {
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  what: 'the name of a header',
});

/** The path of a file within the folder: not absolute, not a folder, and without a step up. */
const innerPath = '^(?!/)(?![\\s\\S]*(?:^|/)\\.\\.(?:/|$))(?![\\s\\S]*(?:^|/)\\.?$)[^\\0]+$';

const a2aUrl = textShape({
  pattern: `(?![\\s\\S]*\\{\\{)^([hH][tT][tT][pP]|[gG][rR][pP][cC])[sS]?://[^\\s/?#\\\\]`,
  isUnquoted: true,
  example: 'http://127.0.0.1:8000/',
  problemOf: openUrl,
});

/** The name of a service alone does not name a model. */
const modelPattern = `^(?!(${llmApis.join('|')})/\\s*$)[\\s\\S]*\\S`;

const environment = choiceShape(['clean', 'inherited']);
const method = choiceShape(['POST', 'PUT', 'PATCH']);

const anyTarget = {
  prompt: optionalField(textShape(), 'The prompt of its user, if the document sets none.'),
  without: optionalField(
    listShape(choiceShape(surfaceNames)),
    'Surfaces that the agent lacks: attacks that need one do not apply to it.',
  ),
};

const start = objectShape<Start>({
  command: neededField(command, 'The program and its arguments.'),
  env: optionalField(variables, 'Environment variables for it.'),
  environment: optionalField(environment, 'How much of our environment it inherits. Default: clean.'),
  cwd: optionalField(textShape(), 'Its working directory.'),
  health: optionalField(urlShape, 'A URL that answers with a status below 400 once the server is ready.'),
  timeout: optionalField(positiveDurationShape, 'How long it may take to become ready. Default: 30s.'),
});

const configure = objectShape<Configure>({
  url: neededField(urlShape, 'Where the request goes.'),
  method: optionalField(method, 'Default: POST.'),
  headers: optionalField(headersShape, 'Values may hold {{env.NAME}}.'),
  body: optionalField(
    anyShape,
    'The body of the request; it may hold placeholders such as {{mcp_config}} and {{run}}.',
  ),
});

const servedTarget = {
  headers: optionalField(headersShape, 'Headers of every request; values may hold {{env.NAME}}.'),
  start: optionalField(start, 'Starts the server once, before the first run, and ends it after the last.'),
  configure: optionalField(configure, 'A request before each run that tells the server its endpoints.'),
};

export const targetShape = shapeByKey('a target', {
  command: objectShape<CommandTarget>({
    ...anyTarget,
    command: neededField(
      command,
      'The program and its arguments, launched for each run; may hold placeholders such as {{prompt}} and {{mcp_config}}.',
    ),
    followUp: optionalField(command, 'The command of the turns after the first, if it differs.'),
    env: optionalField(variables, 'Environment variables for it; values may hold placeholders.'),
    environment: optionalField(environment, 'How much of our environment it inherits. Default: clean.'),
    files: optionalField(
      mapShape(textShape(), { pattern: innerPath, what: 'the path of a file within the new folder' }),
      'Files to write into its new folder, by relative path; texts may hold placeholders.',
    ),
    cwd: optionalField(textShape(), 'Its working directory, instead of a new folder.'),
    stdin: optionalField(choiceShape(['prompt', 'input', 'nothing']), 'What it reads on its standard input.'),
    output: optionalField(choiceShape(['text', 'json', 'jsonl']), 'The format of its standard output. Default: text.'),
    answer: optionalField(textShape(), 'The place of the answer in the output: an RFC 9535 path such as $.result.'),
    pieces: optionalField(booleanShape, 'With jsonl: whether answers are pieces of one text.'),
    turns: optionalField(choiceShape(['launch', 'keep']), 'Whether each turn is a launch, or a line to one process.'),
    mcp: optionalField(choiceShape(['http', 'stdio']), 'How it reaches MCP servers. Default: http.'),
    timeout: optionalField(positiveDurationShape, 'How long one turn may take.'),
    maxOutput: optionalField(size, 'The most output it may write, such as 8MB.'),
    maxMemory: optionalField(size, 'The most memory it and its child processes may use, such as 2GB.'),
  }),
  agUi: objectShape<AgUiTarget>({
    ...anyTarget,
    ...servedTarget,
    agUi: neededField(urlShape, 'The URL of a server that speaks AG-UI.'),
  }),
  http: objectShape<HttpTarget>({
    ...anyTarget,
    ...servedTarget,
    http: neededField(urlShape, 'The URL of a server with a JSON endpoint of its own.'),
    method: optionalField(method, 'Default: POST.'),
    body: optionalField(
      anyShape,
      'The body of the request; may hold placeholders such as {{prompt}}, {{messages}} and {{thread}}.',
    ),
    answer: optionalField(textShape(), 'The place of the answer in the response: an RFC 9535 path such as $.reply.'),
  }),
  a2a: objectShape<A2aTarget>({
    ...anyTarget,
    ...servedTarget,
    a2a: neededField(a2aUrl, 'The URL of a server that speaks A2A, or of its card.'),
  }),
  llm: objectShape<LlmTarget>({
    ...anyTarget,
    llm: neededField(
      textShape({ pattern: modelPattern, example: 'gpt-5-mini' }),
      'A model, written as after llm: in --agent.',
    ),
    baseUrl: optionalField(urlShape, 'The address of the model’s API.'),
    keyFile: optionalField(textShape(), 'A file that holds the key and nothing else.'),
    keyEnv: optionalField(
      // Not quoted in messages, because a user may have written the key itself here.
      textShape({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', example: 'MY_KEY', isUnquoted: true }),
      'The environment variable that holds the key.',
    ),
    temperature: optionalField(
      numberShape({ least: 0, most: 2 }),
      'The temperature, as the model’s service defines it.',
    ),
    maxTokens: optionalField(numberShape({ least: 1, isWhole: true }), 'The most tokens of one answer.'),
    systemPrompt: optionalField(textShape(), 'The system prompt of the agent.'),
    stream: optionalField(booleanShape, 'Whether answers are streamed. Default: true.'),
    tools: optionalField(
      choiceShape(['native', 'text']),
      'How tools are offered: native uses the API’s tools; text describes them in words, for a model without tools.',
    ),
    prices: optionalField(
      objectShape<NonNullable<LlmTarget['prices']>>({
        input: neededField(numberShape({ least: 0 }), 'The price of a million input tokens.'),
        output: neededField(numberShape({ least: 0 }), 'The price of a million output tokens.'),
      }),
      'Prices in any currency; they give the cost of each run.',
    ),
  }),
  function: objectShape<FunctionTarget>({
    ...anyTarget,
    function: neededField(functionShape<AgentFunction>(), 'An agent in this process.'),
  }),
});
