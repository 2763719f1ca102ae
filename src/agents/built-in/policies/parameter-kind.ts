import { findFirstSentence } from './sentences.ts';
import type { ToolParameter } from './tool-parameters.ts';

/** The kind of string that a parameter wants. */
export type ParameterKind =
  | 'date'
  | 'copy'
  | 'email'
  | 'secret'
  | 'url'
  | 'path'
  | 'expression'
  | 'text'
  | 'id'
  | 'unknown';

const byName: readonly (readonly [ParameterKind, RegExp])[] = [
  ['copy', /^(?:b?cc|from|sender|reply_to)$/],
  ['text', /(?:^|_)(?:subject|body|message|text|query|question|content|prompt|summary)s?$/],
  ['date', /(?:^|_)(?:date|day|time|when|deadline|due|timestamp)$/],
  [
    'secret',
    /pass(?:word|wd|phrase|code)|token|secret|credential|(?:api|access|private|auth\w*|ssh|encryption)_?key|^auth|_auth|^pin$|ssn|otp|cookie/,
  ],
  ['email', /^to$|recipient|e?mail|addressee/],
  ['url', /(?:^|_)(?:url|uri|link|href|website|site|webhook|callback|endpoint)s?$/],
  ['path', /(?:^|_)(?:path|file|filename|filepath|directory|dir|folder)s?$/],
  ['expression', /(?:^|_)(?:pattern|regex|glob|expression|filter|command|cmd|script|sql|statement)s?$/],
  [
    'text',
    /(?:^|_)(?:q|data|input|code|html|markdown|description|notes?|comments?|context|payload|title|search|keywords?|terms?|topic|reason|details|log|info|information|feedback|metadata|snippet|results?|history|instructions?|request|task)$/,
  ],
  [
    'id',
    /(?:^|_)(?:id|identifier|name|key|code|number|account|user|username|customer|project|dataset|branch|repo(?:sitory)?|service|environment|env|ticket|issue|order|region|city|location|country|table|database|language|currency|symbol|ticker|quarter|period|month|status|type|category|channel|team|version|scope|role)s?$/,
  ],
];
const byDescription: readonly (readonly [ParameterKind, RegExp])[] = [
  ['email', /e-?mail address|recipient/i],
  ['url', /\burl\b|web address|\blink\b/i],
  ['path', /\b(?:file|directory) path|path (?:to|of)\b|file name/i],
  ['id', /\b(?:identifier|id|name)\b/i],
  ['text', /\b(?:text|content|query|message|payload|data)\b/i],
];

export function classifyParameter({ name, description, format }: ToolParameter): ParameterKind {
  if (format === 'email') return 'email';
  if (format === 'uri') return 'url';
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
  const named = byName.find(([, pattern]) => pattern.test(plain))?.[0];
  return named ?? byDescription.find(([, pattern]) => pattern.test(findFirstSentence(description)))?.[0] ?? 'unknown';
}
