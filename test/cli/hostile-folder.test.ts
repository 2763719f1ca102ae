import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';
import { callOatf } from './run-cli.ts';

// Each command that reads or writes a folder of results, against folders that try to lead it elsewhere or to keep it waiting.

let genuine: string;
beforeAll(async () => {
  genuine = freshFolder();
  const played = await callOatf(['run', 'OATS-001', '--agent', 'gullible', '--out', 'r'], genuine);
  expect(readdirSync(join(genuine, 'r')), played.stderr).toContain('runs.jsonl');
}, 60_000);

const secret = 'PRIVATE-OF-THE-USER';

/** A copy of genuine results, in a folder beside a private file. */
function arrange(change: (results: string, root: string, trace: string) => void): string {
  const root = freshFolder([
    ['private', secret],
    ['other/x.jsonl', secret],
  ]);
  cpSync(join(genuine, 'r'), join(root, 'r'), { recursive: true });
  const [trace = ''] = readdirSync(join(root, 'r', 'traces'));
  change(join(root, 'r'), root, trace);
  return root;
}

function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  make(path);
}
const pipe = (path: string): void => void spawnSync('mkfifo', [path]);

type Change = Parameters<typeof arrange>[0];
const changes: readonly (readonly [what: string, change: Change])[] = [
  [
    'a trace that is a link',
    (r, root, trace) => replace(join(r, 'traces', trace), (p) => symlinkSync(join(root, 'private'), p)),
  ],
  ['a trace that is a pipe', (r, _, trace) => replace(join(r, 'traces', trace), pipe)],
  ['a trace that is a folder', (r, _, trace) => replace(join(r, 'traces', trace), mkdirSync)],
  [
    'a trace that is a link to a device',
    (r, _, trace) => replace(join(r, 'traces', trace), (p) => symlinkSync('/dev/zero', p)),
  ],
  [
    'a folder of traces that is a link',
    (r, root, trace) => {
      writeFileSync(join(root, 'other', trace), secret);
      replace(join(r, 'traces'), (p) => symlinkSync(join(root, 'other'), p));
    },
  ],
  [
    'documents that are links',
    (r, root) => {
      for (const name of readdirSync(join(r, 'documents')))
        replace(join(r, 'documents', name), (p) => symlinkSync(join(root, 'private'), p));
    },
  ],
  [
    'a results.json that is a link',
    (r, root) => replace(join(r, 'results.json'), (p) => symlinkSync(join(root, 'private'), p)),
  ],
  ['a results.json that is a pipe', (r) => replace(join(r, 'results.json'), pipe)],
  ['a plan.json that is a pipe', (r) => replace(join(r, 'plan.json'), pipe)],
  [
    'a runs.jsonl that is a link to nothing',
    (r, root) => replace(join(r, 'runs.jsonl'), (p) => symlinkSync(join(root, 'made'), p)),
  ],
  [
    'a runs.jsonl that is a link',
    (r, root) => replace(join(r, 'runs.jsonl'), (p) => symlinkSync(join(root, 'private'), p)),
  ],
  ['a runs.jsonl that is a pipe', (r) => replace(join(r, 'runs.jsonl'), pipe)],
  [
    'a runs.jsonl that is a hard link',
    (r, root) => {
      cpSync(join(r, 'runs.jsonl'), join(root, 'kept'));
      replace(join(r, 'runs.jsonl'), (p) => linkSync(join(root, 'kept'), p));
    },
  ],
  ['a lock.json that is a link to nothing', (r, root) => symlinkSync(join(root, 'made'), join(r, 'lock.json'))],
  ['a lock.json that is a pipe', (r) => pipe(join(r, 'lock.json'))],
  [
    'a report.html that is a link',
    (r, root) => replace(join(r, 'report.html'), (p) => symlinkSync(join(root, 'private'), p)),
  ],
];

const commands: readonly (readonly string[])[] = [
  ['merge', 'r', '--out', 'merged'],
  ['report', 'r'],
  ['bless', 'r', '--out', 'baseline.yaml'],
  ['run', '--resume', 'r'],
];

test.each(changes.flatMap(([what, change]) => commands.map((command) => [command, what, change] as const)))(
  'oatf %s ends, and neither reads nor writes outside the folder, with %s',
  async (args, _what, change) => {
    const root = arrange(change);
    const kept = existsSync(join(root, 'kept')) ? readFileSync(join(root, 'kept'), 'utf8') : undefined;
    const ran = await callOatf(args, root);
    expect(ran.exit, ran.stderr).toBeTypeOf('number');
    expect(ran.exit, ran.stderr).not.toBe(70);
    const { stdout } = spawnSync('grep', ['-rl', secret, '.', '--devices=skip'], { cwd: root, encoding: 'utf8' });
    const copies = stdout.split('\n').filter((path) => path !== '' && !path.startsWith('./other/'));
    expect(copies).toEqual(['./private']);
    expect(ran.stdout + ran.stderr).not.toContain(secret);
    expect(readFileSync(join(root, 'private'), 'utf8')).toBe(secret);
    expect(existsSync(join(root, 'made'))).toBe(false);
    if (kept !== undefined) expect(readFileSync(join(root, 'kept'), 'utf8')).toBe(kept);
  },
  60_000,
);

test.each(['../../../evil', 'documents/../../../evil.yaml', '/tmp/evil.yaml', 7])(
  'run --resume refuses an unfinished plan whose document is stored at %j',
  async (source) => {
    const root = arrange((r) => {
      rmSync(join(r, 'results.json'));
      writeFileSync(join(r, 'runs.jsonl'), '');
      const plan = JSON.parse(readFileSync(join(r, 'plan.json'), 'utf8'));
      plan.documents[0].entry.source = source;
      writeFileSync(join(r, 'plan.json'), JSON.stringify(plan));
    });
    const victim = join(root, '..', 'evil.gullible.jsonl');
    writeFileSync(victim, secret);
    const ran = await callOatf(['run', '--resume', 'r'], root);
    expect(ran.stderr).toContain('its plan.json stores a document at');
    expect(readFileSync(victim, 'utf8')).toBe(secret);
    rmSync(victim);
  },
);

test('baselines and recordings can be read by their owner alone', async () => {
  const root = arrange(() => {});
  await callOatf(['bless', 'r', '--out', 'baseline.yaml', '--accept-inconclusive'], root);
  expect((statSync(join(root, 'baseline.yaml')).mode & 0o777).toString(8)).toBe('600');
});
