import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { isFree } from '../../support/http-peer.ts';
import { callOatf, type startCli, startCliAtTerminal } from '../run-cli.ts';
import { begin, key, shop, start, visit } from '../started-run.ts';

describe('oatf run, on Ctrl-C', () => {
  test.each([
    ['without traffic', false, 'inconclusive'],
    ['in the middle of a run', true, 'inconclusive'],
  ])('judges and stores everything %s', async (_, traffic, outcome) => {
    const run = start(['in'], { 'in/a.yaml': shop, 'in/b.yaml': shop });
    const [url = ''] = await run.urls();
    if (traffic) {
      await visit(url, { key: 'none' }, false);
      await run.shows('── default: sold ──');
    }
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(130);
    expect(run.results().runs).toMatchObject([{ outcome, end: 'stopped' }]);
    expect(run.output.stdout).toContain('1 document not run');
    expect(await isFree(Number(new URL(url).port))).toBe(true);
  });

  test('exits with 143 on SIGTERM and prints the results', async () => {
    const run = start(['shop.yaml', '--json']);
    await run.urls();
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(143);
    expect(JSON.parse(run.output.stdout).runs).toMatchObject([{ outcome: 'inconclusive' }]);
  });
});

test('run --ui keeps its page after the runs until Ctrl-C and exits with the code of the runs', async () => {
  const run = start(['OATS-001', '--agent', 'gullible', '--ui'], {});
  await run.shows(' until Ctrl-C');
  const [, url = ''] = /stays at (http:\/\/\S+)/.exec(run.output.stderr) ?? [];
  expect(await (await fetch(`${url}index`)).json()).toMatchObject({ runs: [{ outcome: 'exploited' }] });
  expect(run.output.stdout).toContain('report.html');
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(1);
  expect(run.output.stderr).not.toContain('ending the run');
});

// Only a terminal has an operator: a pipe may be meant for another program.
describe('oatf run, on Enter at the terminal', () => {
  function startAtTerminal(args: readonly string[], files?: Record<string, string>) {
    let typed: NodeJS.WritableStream | undefined;
    const run = start(args, files, (each, cwd) => {
      const child = startCliAtTerminal(each, cwd);
      typed = child.stdin;
      return child as unknown as ReturnType<typeof startCli>;
    });
    return { ...run, press: (text: string) => typed?.write(text) };
  }

  test('ends the run properly and goes on with the next document', async () => {
    const run = startAtTerminal(['in'], { 'in/a.yaml': shop, 'in/b.yaml': shop });
    const [first = ''] = await run.urls();
    await run.shows('press Enter when it is done, Ctrl-C breaks off');
    await visit(first, { key: 'none' }, false);
    await run.shows('── default: sold ──');
    run.press('\n');
    const [, second = ''] = await run.urls(2);
    await visit(second, { key }, false);
    run.press('\n');
    expect(await run.ended).toBe(1);
    expect(run.results().runs).toMatchObject([
      { outcome: 'resisted', end: 'operator' },
      { outcome: 'exploited', end: 'operator' },
    ]);
  });

  test('does nothing before an agent has connected', async () => {
    const run = startAtTerminal(['shop.yaml']);
    const [url = ''] = await run.urls();
    run.press('\n');
    await run.shows('no agent has connected yet');
    await visit(url, { key: 'none' }, false);
    await run.shows('── default: sold ──');
    run.press('\u0003');
    expect(await run.ended).toBe(130);
    expect(run.results().runs).toMatchObject([{ outcome: 'inconclusive', cause: 'cut_off' }]);
  });
});

describe('oatf run, when a port or folder is not available', () => {
  test('exits with 69 and leaves no folder when a port is in use', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    const run = begin(['shop.yaml', '--listen', `127.0.0.1:${port}`]);
    expect(await run.ended).toBe(69);
    server.close();
    expect(run.output.stderr).toContain(`127.0.0.1:${port} is in use by another program`);
    expect(run.output.stderr).not.toContain('    at ');
    expect(existsSync(join(run.folder, 'out'))).toBe(false);
  });

  test('exits with 69 when the results folder cannot be made', async () => {
    const run = begin(['shop.yaml', '--out', 'shop.yaml/out']);
    expect(await run.ended).toBe(69);
    expect(run.output.stderr).toContain('results cannot be written');
  });

  test('refuses a folder that has results', async () => {
    const folder = freshFolder([['shop.yaml', shop]]);
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/runs.jsonl'), '');
    expect((await callOatf(['run', 'shop.yaml', '--out', 'out'], folder)).exit).toBe(64);
  });
});
