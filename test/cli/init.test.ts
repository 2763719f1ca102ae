import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { init } from '../../src/cli/commands/init.ts';
import type { Arguments } from '../../src/cli/commands.ts';
import { configText } from '../../src/cli/init/config-text.ts';
import { examples, firstConfig } from '../../src/cli/init/first-config.ts';
import { problemsOf } from '../../src/config/config-shape.ts';
import { problemsOfTargets } from '../../src/config/target-problems.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { terminal } from '../support/terminal.ts';

const unattended: Arguments<'init'> = { dir: undefined, agent: undefined, yes: false, format: 'yaml' };

async function answered(...typed: string[]) {
  const folder = freshFolder();
  const { io, shown } = terminal(folder, typed);
  const { exit } = await init(unattended, io);
  const file = join(folder, 'oatf.config.yaml');
  const config: unknown = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
  return { exit, config, shown: shown.join('') };
}

describe('questions', () => {
  const rest = { documents: ['attacks'], agent: 'mine' };
  const listen = { '*': '127.0.0.1:8080' };
  test.each([
    ['nothing but Enter', ['\n'], { documents: ['attacks'], agent: ['gullible', 'guarded', 'candid'] }],
    [
      'a program',
      ['2\n', 'node agent.js "{{prompt}} ü"\n'],
      { ...rest, targets: { mine: { command: ['node', 'agent.js', '{{prompt}} ü'] } } },
    ],
    [
      'AG-UI',
      ['3\r\n', 'http://127.0.0.1:8000/\r\n'],
      { ...rest, targets: { mine: { agUi: 'http://127.0.0.1:8000/' } }, listen },
    ],
    [
      'a JSON endpoint',
      ['4\nhttp://127.0.0.1:8000/chat\n'],
      {
        ...rest,
        targets: { mine: { http: 'http://127.0.0.1:8000/chat', body: { prompt: '{{prompt}}' } } },
        listen,
      },
    ],
    [
      'A2A',
      ['5\n', 'http://127.0.0.1:9000/'],
      { ...rest, targets: { mine: { a2a: 'http://127.0.0.1:9000/' } }, listen },
    ],
    ['a model', ['6\n', 'gpt-5-mini\n'], { ...rest, targets: { mine: { llm: 'gpt-5-mini' } } }],
    [
      'a slip of the hand',
      ['9\n', '3\n', 'localhost\n', '\n', 'http://127.0.0.1:8000/\n'],
      { ...rest, targets: { mine: { agUi: 'http://127.0.0.1:8000/' } }, listen },
    ],
  ])('%s', async (_, typed, config) => {
    const { exit, config: written } = await answered(...typed);
    expect(exit).toBe('ok');
    expect(written).toEqual(config);
    expect(problemsOf(written)).toEqual([]);
  });

  test.each([
    ['nobody answers', []],
    ['nobody answers the second', ['3\n']],
    ['there is no sense in it', ['x\n', 'y\n', 'z\n', '1\n']],
  ])('if %s, nothing is written', async (_, typed) => {
    const { exit, config } = await answered(...typed);
    expect(exit).toBe('usage');
    expect(config).toBeUndefined();
  });

  test('are few', async () => {
    const { shown } = await answered('3\n', 'http://127.0.0.1:8000/\n');
    expect(shown.match(/: /g)).toHaveLength(3);
  });
});

describe('examples', () => {
  const targets = Object.fromEntries(examples.map(([, name, target]) => [name, target]));

  test('are what they should be', () => {
    expect(problemsOf({ targets })).toEqual([]);
    expect(problemsOfTargets(targets)).toEqual([]);
  });

  test('can be taken out of their comments', () => {
    const around = { isModule: false, installed: undefined };
    const text = configText('yaml', { kind: 'built-in', names: ['guarded'] }, around);
    const [head = '', tail = ''] = text.split('# targets:');
    const open = `${head}targets:${tail.replace(/^# {3}/gm, '  ').replace(/^ +#.*$/gm, '')}`;
    expect(parse(open)).toEqual({ ...firstConfig({ kind: 'built-in', names: ['guarded'] }), targets });
  });
});
