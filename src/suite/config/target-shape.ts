import texts from '../../../data/config-texts.json' with { type: 'json' };
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
import { eitherShape, listShape, mapShape, neededField, objectShape, shapeByKey } from './compound-shapes.ts';
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
  findProblem: findDurationProblem,
});

/** A duration longer than zero. */
export const positiveDurationShape = textShape({
  pattern: `(?=.*[1-9])${countable}`,
  example: '30s or 5m',
  findProblem: (value) =>
    findDurationProblem(value) ??
    (/[1-9]/.test(value) ? undefined : { problem: 'must be longer than zero', hint: 'such as 30s or 5m' }),
});

/** Not quoted in messages, because a URL may hold a password. */
export const urlShape = textShape({
  pattern: `(?![\\s\\S]*\\{\\{)${httpUrlPattern}`,
  isUnquoted: true,
  findProblem: (value) => (isHttpUrl(value) ? openUrl(value) : noUrl),
});

function openUrl(value: string): TextProblem | undefined {
  return value.includes('{{')
    ? { problem: 'has placeholders', hint: 'only headers and bodies can have them' }
    : undefined;
}
const noUrl = { problem: 'is not an http or https URL', hint: 'such as http://127.0.0.1:8000/' };

const example = '"node agent.js"';
const word = textShape({ pattern: '^[^\\0]*$', findProblem: findWordProblem });
const command = eitherShape(
  textShape({ pattern: '^[^\\0]*[^\\s\\0][^\\0]*$', example, findProblem: findWordProblem }),
  listShape(word, {
    least: 1,
    first: textShape({
      pattern: '^[^\\0]*[^\\s\\0][^\\0]*$',
      findProblem: (value) =>
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
  findProblem: openUrl,
});

/** The name of a service alone does not name a model. */
const modelPattern = `^(?!(${llmApis.join('|')})/\\s*$)[\\s\\S]*\\S`;

const environment = choiceShape(['clean', 'inherited']);
const method = choiceShape(['POST', 'PUT', 'PATCH']);

const anyTarget = { prompt: textShape(), without: listShape(choiceShape(surfaceNames)) };

const start = objectShape<Start>(
  {
    command: neededField(command),
    env: variables,
    environment,
    cwd: textShape(),
    health: urlShape,
    timeout: positiveDurationShape,
  },
  texts.start,
);

const configure = objectShape<Configure>(
  {
    url: neededField(urlShape),
    method,
    headers: headersShape,
    body: anyShape,
  },
  texts.configure,
);

const servedTarget = { headers: headersShape, start, configure };

export const targetShape = shapeByKey('a target', {
  command: objectShape<CommandTarget>(
    {
      ...anyTarget,
      command: neededField(command),
      followUp: command,
      env: variables,
      environment,
      files: mapShape(textShape(), { pattern: innerPath, what: 'the path of a file within the new folder' }),
      cwd: textShape(),
      stdin: choiceShape(['prompt', 'input', 'nothing']),
      output: choiceShape(['text', 'json', 'jsonl']),
      answer: textShape(),
      pieces: booleanShape,
      turns: choiceShape(['launch', 'keep']),
      mcp: choiceShape(['http', 'stdio']),
      timeout: positiveDurationShape,
      maxOutput: size,
      maxMemory: size,
      helpers: listShape(textShape()),
    },
    { ...texts.anyTarget, ...texts.command },
  ),
  agUi: objectShape<AgUiTarget>(
    {
      ...anyTarget,
      ...servedTarget,
      agUi: neededField(urlShape),
    },
    { ...texts.anyTarget, ...texts.servedTarget, ...texts.agUi },
  ),
  http: objectShape<HttpTarget>(
    {
      ...anyTarget,
      ...servedTarget,
      http: neededField(urlShape),
      method,
      body: anyShape,
      answer: textShape(),
    },
    { ...texts.anyTarget, ...texts.servedTarget, ...texts.http },
  ),
  a2a: objectShape<A2aTarget>(
    {
      ...anyTarget,
      ...servedTarget,
      a2a: neededField(a2aUrl),
    },
    { ...texts.anyTarget, ...texts.servedTarget, ...texts.a2a },
  ),
  llm: objectShape<LlmTarget>(
    {
      ...anyTarget,
      llm: neededField(textShape({ pattern: modelPattern, example: 'gpt-5-mini' })),
      baseUrl: urlShape,
      keyFile: textShape(),
      keyEnv: // Not quoted in messages, because a user may have written the key itself here.
        textShape({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', example: 'MY_KEY', isUnquoted: true }),
      temperature: numberShape({ least: 0, most: 2 }),
      maxTokens: numberShape({ least: 1, isWhole: true }),
      systemPrompt: textShape(),
      stream: booleanShape,
      tools: choiceShape(['native', 'text']),
      prices: objectShape<NonNullable<LlmTarget['prices']>>(
        {
          input: neededField(numberShape({ least: 0 })),
          output: neededField(numberShape({ least: 0 })),
        },
        texts.prices,
      ),
    },
    { ...texts.anyTarget, ...texts.llm },
  ),
  function: objectShape<FunctionTarget>(
    {
      ...anyTarget,
      function: neededField(functionShape<AgentFunction>()),
    },
    { ...texts.anyTarget, ...texts.function },
  ),
});
