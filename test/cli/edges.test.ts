import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';
import { callCli } from './run-cli.ts';

// The command line at the limits of its machine: inputs that are not files, folders in use, system limits.

const cli = resolve('dist/cli.js');
const scenario = resolve('scenarios/OATS-001_tool-description-usage-report.yaml');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function oatf(cwd: string, ...args: readonly string[]): Promise<Ended> {
  const { exit, ...said } = await callCli({ args, folder: cwd, environment: process.env });
  return { code: exit, ...said };
}

function limited(cwd: string, limit: string, ...args: readonly string[]): Promise<Ended> {
  return ended(spawn('sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, cli, ...args], { cwd }));
}

async function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

describe('oatf, for a pipe instead of a file', () => {
  test.each<[string, (fifo: string) => readonly string[]]>([
    ['as a document', (fifo) => ['validate', fifo]],
    ['among the documents of a folder', () => ['validate', '.']],
    ['as a document that is run', (fifo) => ['run', '--agent', 'gullible', fifo]],
    ['as a trace', (fifo) => ['evaluate', scenario, '--trace', fifo]],
    ['as a configuration', (fifo) => ['run', '--config', fifo, '--agent', 'gullible', scenario]],
    ['as a baseline', (fifo) => ['run', '--baseline', fifo, '--agent', 'gullible', scenario]],
  ])('refuses it %s', async (_, args) => {
    const cwd = freshFolder();
    execFileSync('mkfifo', [join(cwd, 'fifo.yaml')]);
    const { code, stdout, stderr } = await oatf(cwd, ...args('fifo.yaml'));
    expect(code).toBe(66);
    expect(stdout + stderr).toMatch(/a pipe, a socket or a device/);
  });

  test('refuses it as results.json of a results folder', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'r'));
    execFileSync('mkfifo', [join(cwd, 'r', 'results.json')]);
    expect((await oatf(cwd, 'report', 'r')).code).toBe(66);
  });

  test.each<[string, string, readonly string[], number]>([
    ['as a test file', 'a.test.yaml', ['test', '.'], 66],
    ['as a configuration that is code', 'own.config.ts', ['run', '--config', 'own.config.ts', scenario], 66],
    ['as a reporter that is code', 'own.ts', ['run', '--agent', 'gullible', '--reporter', './own.ts', scenario], 64],
    ['as the lock of a folder', 'r/lock.json', ['run', '--agent', 'gullible', scenario, '--out', 'r'], 69],
    ['as the plan of a stored suite', 'r/plan.json', ['run', '--resume', 'r'], 66],
  ])('refuses it %s', async (_, name, args, exit) => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'r'));
    execFileSync('mkfifo', [join(cwd, name)]);
    const { code, stdout, stderr } = await oatf(cwd, ...args);
    expect(stdout + stderr).toMatch(/a pipe, a socket or a device/);
    expect(code).toBe(exit);
  });

  test('refuses it as a key file', async () => {
    const cwd = freshFolder();
    execFileSync('mkfifo', [join(cwd, 'key')]);
    const env = { ...process.env, OATF_LLM_KEY_FILE: join(cwd, 'key') };
    const args = [cli, 'run', '--agent', 'llm:anthropic/x', scenario];
    const { stderr } = await ended(spawn(process.execPath, args, { cwd, env }));
    expect(stderr).toContain('it is a pipe, a socket or a device');
  });

  test('refuses a test file that is too large', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'a.test.yaml'), '');
    truncateSync(join(cwd, 'a.test.yaml'), 2 ** 40);
    const { code, stderr } = await oatf(cwd, 'test', '.');
    expect([code, stderr]).toEqual([65, expect.stringContaining('longer than 2 MiB')]);
  });

  test('refuses a baseline that is too large', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'b.json'), '');
    truncateSync(join(cwd, 'b.json'), 2 ** 40);
    const { code, stderr } = await oatf(cwd, 'run', '--agent', 'gullible', '--baseline', 'b.json', scenario);
    expect([code, stderr]).toEqual([66, expect.stringContaining('the file is too large')]);
  });

  test('reads a pipe that the shell passes', async () => {
    const line = `"${process.execPath}" "${cli}" validate <(cat "${scenario}")`;
    expect(await ended(spawn('bash', ['-c', line]))).toMatchObject({ code: 0 });
  });
});

describe('a results folder of oatf run', () => {
  test('is refused while another process uses it and can be resumed after that was killed', async () => {
    const cwd = freshFolder();
    const first = spawn(process.execPath, [cli, 'run', scenario, '--out', 'r'], { cwd });
    await new Promise<void>((resolve) => first.stdout.once('data', () => resolve()));
    const second = await oatf(cwd, 'run', '--resume', 'r');
    expect([second.code, second.stderr]).toEqual([69, expect.stringContaining(`is in use by process ${first.pid}`)]);
    const gone = new Promise((resolve) => first.on('close', resolve));
    first.kill('SIGKILL');
    await gone;
    expect(existsSync(join(cwd, 'r', 'lock.json'))).toBe(true);
    const third = spawn(process.execPath, [cli, 'run', '--resume', 'r'], { cwd });
    const end = ended(third);
    await new Promise<void>((resolve) => third.stdout?.once('data', () => resolve()));
    third.kill('SIGHUP');
    expect((await end).code).toBe(143);
    expect(existsSync(join(cwd, 'r', 'lock.json'))).toBe(false);
  });
});

describe('oatf run on a full disk, or where something is in the way,', () => {
  test('leaves nothing before the plan is stored, and the same call works later', async () => {
    const cwd = freshFolder();
    // Locks are shorter than this, documents are longer.
    const failed = await limited(cwd, 'ulimit -f 4', 'run', scenario, '--agent', 'gullible', '--out', 'r');
    expect([failed.code, failed.stderr]).toEqual([69, expect.stringContaining('results cannot be written')]);
    expect(existsSync(join(cwd, 'r'))).toBe(false);
    expect((await oatf(cwd, 'run', scenario, '--agent', 'gullible', '--resume', 'r')).code).toBe(1);
    expect(readdirSync(join(cwd, 'r'))).not.toContain('lock.json');
  });

  test('leaves what was in the folder before', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'r', 'documents'), { recursive: true });
    writeFileSync(join(cwd, 'r', 'documents', 'mine.txt'), 'mine');
    mkdirSync(join(cwd, 'r', 'documents', 'OATS-001.yaml'));
    const { code, stderr } = await oatf(cwd, 'run', scenario, '--agent', 'gullible', '--out', 'r');
    expect([code, stderr]).toEqual([69, expect.stringContaining('is a folder')]);
    expect(readFileSync(join(cwd, 'r', 'documents', 'mine.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(join(cwd, 'r'))).toEqual(['documents']);
  });

  test('says that a folder is where a trace belongs, and --resume plays the run once it is gone', async () => {
    const cwd = freshFolder();
    const trace = join(cwd, 'r', 'traces', 'OATS-001.guarded.jsonl');
    mkdirSync(trace, { recursive: true });
    const { code, stderr } = await oatf(cwd, 'run', scenario, '--agent', 'guarded', '--out', 'r');
    expect([code, stderr]).toEqual([69, expect.stringContaining('is a folder')]);
    rmdirSync(trace);
    const resumed = await oatf(cwd, 'run', '--resume', 'r', '--agent', 'guarded', scenario, '--json');
    expect(outcomesIn(resumed.stdout)).toEqual(['resisted']);
  });

  test('loses no finished run', async () => {
    const cwd = freshFolder();
    const args = ['run', scenario, '--agent', 'gullible', '--repeat', '8', '-j', '1', '--json'];
    // Room for a trace and for some of the runs.
    const full = await limited(cwd, 'ulimit -f 64', ...args, '--out', 'r');
    expect([full.code, full.stderr]).toEqual([69, expect.stringContaining('results cannot be written')]);
    const stored = readFileSync(join(cwd, 'r', 'runs.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1);
    expect(stored.length).toBeGreaterThan(0);
    expect((await oatf(cwd, 'run', '--resume', 'r', '--json')).code).toBe(1);
    const after = readFileSync(join(cwd, 'r', 'runs.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1);
    expect(after.slice(0, stored.length)).toEqual(stored);
    expect(after).toHaveLength(8);
  });

  test('reports standard output and report files that cannot be written', async () => {
    const cwd = freshFolder();
    const line = `"${process.execPath}" "${cli}" run "${scenario}" --agent gullible --json --reporter junit=/dev/full >/dev/full`;
    const { code, stderr } = await ended(spawn('sh', ['-c', line], { cwd }));
    expect(code).toBe(69);
    expect(stderr).toContain('standard output: cannot be written (ENOSPC)');
    expect(stderr).toContain('the report /dev/full cannot be written: no space left on the disk');
  });
});

describe('oatf, for a folder that it may not write to', () => {
  // Permissions do not limit root, so another user runs this.
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? { uid: 65534, gid: 65534 } : {};
  let cwd: string;
  let program = cli;

  beforeAll(async () => {
    // Other users may enter the folder.
    cwd = mkdtempSync(join(tmpdir(), 'oatf-closed-'));
    await oatf(cwd, 'run', 'OATS-001', '--agent', 'gullible', '--out', 'closed');
    if (isRoot) {
      // The checkout may be in a folder that is closed to other users.
      for (const part of ['dist', 'scenarios', 'package.json'])
        cpSync(resolve(part), join(cwd, 'tool', part), { recursive: true });
      program = join(cwd, 'tool/dist/cli.js');
    }
    execFileSync('chmod', ['-R', 'a+rX,a-w', cwd]);
  });
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', cwd]);
    rmSync(cwd, { recursive: true });
  });

  test.each([
    ['for results', ['run', 'OATS-001', '--agent', 'gullible', '--out', 'closed/r']],
    ['for a resumed suite', ['run', '--resume', 'closed']],
    ['for a page', ['report', 'closed']],
  ])('reports that it cannot be written: %s', async (_, args) => {
    const { code, stderr } = await ended(spawn(process.execPath, [program, ...args], { cwd, ...nobody }));
    expect([code, stderr]).toEqual([69, expect.stringContaining('cannot be written: permission denied')]);
  });
});

function outcomesIn(json: string): readonly string[] {
  return JSON.parse(json).runs.map(({ outcome }: { readonly outcome: string }) => outcome);
}

test('oatf run writes reports with mode 600 and keeps the mode of existing files', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'shared.xml'), '', { mode: 0o644 });
  const reporters = ['junit=own.xml', 'junit=shared.xml', 'json=own.json', 'jsonl=own.jsonl', 'markdown=own.md'];
  await oatf(cwd, 'run', scenario, '--agent', 'gullible', ...reporters.flatMap((each) => ['--reporter', each]));
  const modes = readdirSync(cwd)
    .filter((name) => name.includes('.'))
    .map((name) => [name, (statSync(join(cwd, name)).mode & 0o777).toString(8)]);
  expect(Object.fromEntries(modes)).toEqual({
    'own.xml': '600',
    'own.json': '600',
    'own.jsonl': '600',
    'own.md': '600',
    'shared.xml': '644',
  });
});

describe('oatf run with few open files', () => {
  test('names ulimit -n and blames no agent', async () => {
    const cwd = freshFolder();
    const args = [
      'run',
      'OATS-00*',
      '--agent',
      'gullible',
      '--agent',
      'guarded',
      '--repeat',
      '2',
      '-j',
      '32',
      '--out',
      'r',
    ];
    const { code, stderr } = await limited(cwd, 'ulimit -n 48', ...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain('ulimit -n');
    expect(stderr).not.toMatch(/internal error|MaxListeners/);
    const runs = existsSync(join(cwd, 'r', 'runs.jsonl')) ? readFileSync(join(cwd, 'r', 'runs.jsonl'), 'utf8') : '';
    expect(runs).not.toContain('it cannot be launched: EMFILE');
  });
});

describe('a CI system finds no commands of others in what oatf prints:', () => {
  const hostile = '##vso[task.setvariable variable=a]b';
  test('in an error that names a file, and in JSON, which keeps its meaning', async () => {
    const cwd = freshFolder([[hostile, 'a: 1\n']]);
    const missing = await oatf(cwd, 'validate', `${hostile}.yaml`);
    expect(missing.stderr).toContain('#\\u0023vso[');
    expect(missing.stderr).not.toContain('##vso');
    const json = await oatf(cwd, 'validate', hostile, '--format', 'json');
    expect(json.stdout).not.toContain('##vso');
    expect(JSON.parse(json.stdout).files[0].file).toBe(hostile);
  });

  test('but its own annotations are commands, and a document is printed as it is', async () => {
    const execution = '{ mode: mcp_server, state: { tools: [] } }';
    const text = `oatf: "0.1"\nattack:\n  name: "${hostile}"\n  severity: wrong\n  execution: ${execution}\n`;
    const cwd = freshFolder([['a.yaml', text]]);
    expect((await oatf(cwd, 'validate', 'a.yaml', '--format', 'github')).stdout).toMatch(/^::error /m);
    const right = text.replace('severity: wrong', 'indicators: [{ target: a, pattern: { contains: x } }]');
    writeFileSync(join(cwd, 'a.yaml'), right);
    expect((await oatf(cwd, 'normalize', 'a.yaml')).stdout).toContain('##vso');
  });
});
