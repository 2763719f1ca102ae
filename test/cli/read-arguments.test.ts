import { expect, test } from 'vitest';
import { readArguments } from '../../src/cli/read-arguments.ts';

// The meaning of the words on a command line; usage.txt has the messages about wrong ones.

function valuesOf(line: string): { readonly [name: string]: unknown } {
  const meant = readArguments(line.split(' '));
  if (meant.kind !== 'command') throw new Error(JSON.stringify(meant));
  return meant.invocation.values;
}

test.each<[line: string, values: object]>([
  ['validate a.yaml b.yaml', { documents: ['a.yaml', 'b.yaml'], format: 'text', quiet: false }],
  ['validate a.yaml --format json -q', { documents: ['a.yaml'], format: 'json', quiet: true }],
  ['validate -qW --format=json a.yaml', { documents: ['a.yaml'], warningsAsErrors: true, quiet: true }],
  ['validate -f sarif a.yaml', { format: 'sarif' }],
  ['validate -fsarif a.yaml', { format: 'sarif' }],
  ['validate --format json --format github a.yaml', { format: 'github' }],
  ['validate -q -- --quiet -x', { documents: ['--quiet', '-x'], quiet: true }],
  ['validate -', { documents: ['-'] }],
  ['--debug validate a.yaml', { documents: ['a.yaml'] }],
  ['validate a.yaml --debug', { documents: ['a.yaml'] }],
  ['run', { documents: [], agent: [], stdio: undefined, redact: undefined }],
  ['run -a one --agent two', { agent: ['one', 'two'] }],
  ['run --prompt -v', { prompt: '-v', verbose: false }],
  ['run --out=', { out: '' }],
  ['run --redact', { redact: true }],
  ['run --no-redact', { redact: false }],
  ['run --redact --no-redact', { redact: false }],
  ['run a.yaml --stdio', { documents: ['a.yaml'], stdio: true }],
  ['run a.yaml --stdio left', { documents: ['a.yaml'], stdio: 'left' }],
  ['run --stdio=left a.yaml', { documents: ['a.yaml'], stdio: 'left' }],
  ['run --stdio -v a.yaml', { documents: ['a.yaml'], stdio: true, verbose: true }],
  ['run --stdio -- a.yaml', { documents: ['a.yaml'], stdio: true }],
  ['evaluate a.yaml -t b.jsonl', { projections: true }],
  ['evaluate a.yaml -t b.jsonl --no-projections', { projections: false }],
])('readArguments reads the values of: %s', (line, values) => {
  expect(valuesOf(line)).toMatchObject(values);
});

test.each<[line: string, message: string, hint: RegExp]>([
  ['validate --wat a.yaml', 'validate: unknown flag --wat', /validate --help/],
  ['validate --fromat=json a.yaml', 'validate: unknown flag --fromat', /^did you mean --format\?$/],
  ['validate -qz a.yaml', 'validate: unknown flag -z', /validate --help/],
  ['validate --quiet=no a.yaml', 'validate: --quiet takes no value', /validate --help/],
  ['run --no-redact=1', 'run: --no-redact takes no value', /run --help/],
  ['validate a.yaml --format', 'validate: --format needs a value: FORMAT', /validate --help/],
  ['validate --format jsn a.yaml', 'validate: --format cannot be "jsn"', /^did you mean json\? it can be text, /],
  ['list --severity high --severity hig', 'list: --severity cannot be "hig"', /^did you mean high\? /],
  ['evaluate a.yaml', 'evaluate: --trace FILE is missing', /evaluate --help/],
  ['evaluate --trace a.jsonl', 'evaluate: DOCUMENT is missing', /evaluate --help/],
  ['normalize a.yaml b.yaml', 'normalize: takes 1 argument, not 2', /normalize --help/],
  ['demo a.yaml', 'demo: takes no arguments, not 1', /demo --help/],
  ['run --help --all --wat', 'run: unknown flag --wat', /run --help/],
  ['run --agnt gullible --help', 'run: unknown flag --agnt', /^did you mean --agent\?$/],
  ['--help --wat', 'unknown flag --wat', /oatf --help/],
  ['completion tcsh', 'completion: SHELL cannot be "tcsh"', /^it can be bash, zsh, fish$/],
])('readArguments refuses: %s', (line, message, hint) => {
  expect(readArguments(line.split(' '))).toEqual({
    kind: 'wrong',
    message,
    hint: expect.stringMatching(hint),
  });
});
