import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runInitCommand } from '../../../src/cli/commands/init-command.ts';
import type { Arguments } from '../../../src/cli/commands.ts';
import { createFirstConfig, examples, formatConfig } from '../../../src/cli/init/config-text.ts';
import { findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import { findTargetsProblems } from '../../../src/suite/config/target-problems.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { terminal } from '../../support/terminal.ts';

const unattended: Arguments<'init'> = { dir: undefined, agent: undefined, yes: false, format: 'yaml' };

async function answered(...typed: string[]) {
  const folder = freshFolder();
  const { io, shown } = terminal(folder, typed);
  const { exit } = await runInitCommand(unattended, io);
  const file = join(folder, 'oatf.config.yaml');
  const config: unknown = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
  return { exit, config, shown: shown.join('') };
}

describe('the questions of oatf init', () => {
  const rest = { documents: ['attacks'], agent: 'mine' };
  const listen = { '*': '127.0.0.1:8080' };
  test.each([
    ['only Enter', ['\n'], { documents: ['attacks'], agent: ['gullible', 'guarded', 'candid'] }],
    [
      'the choice of a program',
      ['2\n', 'node agent.js "{{prompt}} ü"\n'],
      { ...rest, targets: { mine: { command: ['node', 'agent.js', '{{prompt}} ü'] } } },
    ],
    [
      'the choice of an AG-UI agent',
      ['3\r\n', 'http://127.0.0.1:8000/\r\n'],
      { ...rest, targets: { mine: { agUi: 'http://127.0.0.1:8000/' } }, listen },
    ],
    [
      'the choice of a JSON endpoint',
      ['4\nhttp://127.0.0.1:8000/chat\n'],
      {
        ...rest,
        targets: { mine: { http: 'http://127.0.0.1:8000/chat', body: { prompt: '{{prompt}}' } } },
        listen,
      },
    ],
    [
      'the choice of an A2A agent',
      ['5\n', 'http://127.0.0.1:9000/'],
      { ...rest, targets: { mine: { a2a: 'http://127.0.0.1:9000/' } }, listen },
    ],
    ['the choice of a model', ['6\n', 'gpt-5-mini\n'], { ...rest, targets: { mine: { llm: 'gpt-5-mini' } } }],
    [
      'a wrong choice and a wrong URL that are corrected',
      ['9\n', '3\n', 'localhost\n', '\n', 'http://127.0.0.1:8000/\n'],
      { ...rest, targets: { mine: { agUi: 'http://127.0.0.1:8000/' } }, listen },
    ],
  ])('write a valid configuration after %s', async (_, typed, config) => {
    const { exit, config: written } = await answered(...typed);
    expect(exit).toBe('ok');
    expect(written).toEqual(config);
    expect(findConfigProblems(written)).toEqual([]);
  });

  test.each([
    ['nobody answers', []],
    ['nobody answers the second question', ['3\n']],
    ['the answers make no sense three times', ['x\n', 'y\n', 'z\n', '1\n']],
  ])('write nothing if %s', async (_, typed) => {
    const { exit, config } = await answered(...typed);
    expect(exit).toBe('usage');
    expect(config).toBeUndefined();
  });

  test('are only three', async () => {
    const { shown } = await answered('3\n', 'http://127.0.0.1:8000/\n');
    expect(shown.match(/: /g)).toHaveLength(3);
  });
});

describe('the example targets of oatf init', () => {
  const targets = Object.fromEntries(examples.map(([, name, target]) => [name, target]));

  test('are valid', () => {
    expect(findConfigProblems({ targets })).toEqual([]);
    expect(findTargetsProblems(targets)).toEqual([]);
  });

  test('are valid when they are uncommented', () => {
    const around = { isModule: false, installed: undefined };
    const text = formatConfig('yaml', { kind: 'built-in', names: ['guarded'] }, around);
    const [head = '', tail = ''] = text.split('# targets:');
    const open = `${head}targets:${tail.replace(/^# {3}/gm, '  ').replace(/^ +#.*$/gm, '')}`;
    expect(parse(open)).toEqual({ ...createFirstConfig({ kind: 'built-in', names: ['guarded'] }), targets });
  });
});
