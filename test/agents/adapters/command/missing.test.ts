import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandAgent } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';

const folder = freshFolder([
  ['agent.sh', '#!/bin/sh\n'],
  ['inner/agent.mjs', ''],
]);

function findProblem(target: CommandTarget): string | undefined {
  return createCommandAgent('mine', target, {
    environment: { KEY: 'hunter2hunter2hunter2' },
    folder,
  }).findLaunchProblem?.();
}

describe('findLaunchProblem of a command agent', () => {
  test.each<[title: string, target: CommandTarget, expected: string | undefined]>([
    ['finds nothing wrong with a program of PATH', { command: 'node x' }, undefined],
    ['finds a program that PATH lacks', { command: 'nodee x' }, 'there is no program "nodee"'],
    ['finds a path that leads nowhere', { command: './nothing' }, 'there is no program "./nothing"'],
    [
      'finds a file that is not executable',
      { command: './agent.sh' },
      `"${join(folder, 'agent.sh')}" is not executable`,
    ],
    [
      'finds the missing program of later turns',
      { command: 'node x', followUp: 'nodee x' },
      'there is no program "nodee"',
    ],
    [
      'finds a missing working folder',
      { command: 'node x', cwd: 'nowhere' },
      `there is no folder "${join(folder, 'nowhere')}" to run "node" in`,
    ],
    [
      'looks for a path within the working folder',
      { command: './agent.mjs', cwd: 'inner' },
      `"./agent.mjs" is not executable`,
    ],
    ['looks in the PATH of the target', { command: 'node x', env: { PATH: '/nowhere' } }, 'there is no program "node"'],
    ['leaves a PATH that a run decides to the run', { command: 'nodee x', env: { PATH: '{{cwd}}' } }, undefined],
    ['leaves a program that a run names to the run', { command: '{{env.KEY}} x' }, undefined],
    [
      'leaves a program that may be among its files to the run',
      { command: './a', files: { a: '#!/bin/sh' } },
      undefined,
    ],
  ])('%s', (_, target, expected) => {
    expect(findProblem(target)).toBe(expected);
  });
});
