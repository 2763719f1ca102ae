import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../../src/cli/commands.ts';

const example = (name: string) => parse(readFileSync(new URL(`../../../examples/ci/${name}`, import.meta.url), 'utf8'));

/** Every `oatf COMMAND` with the flags that it is given. */
function calls(text: string): readonly (readonly [string, readonly string[]])[] {
  return [...text.replaceAll('\\\n', ' ').matchAll(/oatf (run|merge) ([^;|\n]*)/g)].map(
    ([, command = '', rest = '']) => [command, [...rest.matchAll(/--([a-z-]+)/g)].map(([, flag = '']) => flag)],
  );
}

const github = example('github-actions.yaml');
const kubernetes = example('kubernetes-job.yaml');
const scripts = [
  ...[...github.jobs.attack.steps, ...github.jobs.verdict.steps].map(({ run = '' }) => run),
  ...kubernetes.spec.template.spec.containers.flatMap(({ args }: { args: string[] }) => args),
].join('\n');

describe('the examples for CI', () => {
  test('give commands only flags that they have', () => {
    const unknown = calls(scripts).flatMap(([command, flags]) => {
      const known = new Set<string>(commands[command as 'run' | 'merge'].flags.map(({ name }) => name));
      return flags.filter((flag) => !known.has(flag));
    });
    expect([calls(scripts).length, unknown]).toEqual([3, []]);
  });

  test('start as many machines as there are shards', () => {
    const { shard } = github.jobs.attack.strategy.matrix;
    expect(scripts).toContain(`--shard \${{ matrix.shard }}/${shard.length}`);
    const { completions, completionMode, template } = kubernetes.spec;
    expect([completionMode, template.spec.containers[0].env]).toEqual([
      'Indexed',
      [{ name: 'OATF_SHARDS', value: String(completions) }],
    ]);
  });
});

test('the example workflow for the site builds it and publishes what was built', () => {
  const { jobs } = example('site.yaml');
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const runs = jobs.build.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(runs).toEqual(['npm ci', 'npm run site']);
  expect(scripts.site).toBeDefined();
  expect(jobs.build.steps.at(-1).with.path).toBe('site');
});
