import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { formatPath } from '../../../src/format/model/path.ts';
import { importConfig } from '../../../src/suite/config/import-config.ts';
import {
  type FailedConfig,
  findAndLoadConfig,
  findJsonFlaw,
  loadConfig,
} from '../../../src/suite/config/load-config.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-config-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The problems, as `line:column path` if there is a text. */
function placesOf(failed: FailedConfig): readonly string[] {
  return failed.problems.map(({ path, range }) =>
    [...(range === undefined ? [] : [`${range.start.line}:${range.start.column}`]), formatPath(path)].join(' '),
  );
}

async function failureOf(name: string, text: string): Promise<FailedConfig> {
  const loaded = await loadConfig(join(folderWith({ [name]: text }), name));
  if (loaded === undefined || loaded.ok) throw new Error('it was loaded');
  return loaded;
}

const js = "export default { agent: 'mine' };\n";

describe('findAndLoadConfig, called in a folder further down', () => {
  test.each([
    [
      'oatf.config.ts',
      "const agent: string = 'mine';\nenum Kind { One }\nexport default { agent, repeat: Kind.One + 1 };\n",
    ],
    ['oatf.config.mts', "export default { agent: 'mine' as string, repeat: 1 };\n"],
    ['oatf.config.js', "module.exports = { agent: 'mine', repeat: 1 };\n"],
    ['oatf.config.mjs', "export default Promise.resolve({ agent: 'mine', repeat: 1 });\n"],
    ['oatf.config.json', '\ufeff{\n\t"agent": "mine",\n\t"repeat": 1\n}\n'],
    ['oatf.config.yaml', 'agent: mine # a comment\nrepeat: 1\n'],
    ['oatf.config.yml', '---\nagent: mine\nrepeat: 1\n'],
  ])('finds and loads %s', async (name, text) => {
    const folder = folderWith({ [name]: text, 'a/b/c/x': '' });
    const loaded = await findAndLoadConfig(join(folder, 'a/b/c'));
    expect(loaded).toMatchObject({ ok: true, path: join(folder, name), folder });
    expect(loaded?.ok && loaded.config).toEqual({ agent: 'mine', repeat: 1 });
  });

  test('loads an empty file as a configuration without settings', async () => {
    const loaded = await findAndLoadConfig(folderWith({ 'oatf.config.yaml': '# later\n' }));
    expect(loaded).toMatchObject({ ok: true, config: {} });
  });
});

describe('where findAndLoadConfig looks for the file', () => {
  test('takes the nearest configuration file', async () => {
    const folder = folderWith({
      'oatf.config.yaml': 'agent: far',
      'a/oatf.config.json': '{"agent": "near"}',
    });
    expect(await findAndLoadConfig(join(folder, 'a'))).toMatchObject({ config: { agent: 'near' } });
  });

  test('returns undefined when there is no configuration file', async () => {
    expect(await findAndLoadConfig(folderWith({}))).toBeUndefined();
  });

  test('ignores a folder that is named like a configuration file', async () => {
    expect(await findAndLoadConfig(folderWith({ 'oatf.config.js/x': '' }))).toBeUndefined();
  });

  test('refuses several configuration files in one folder and names them', async () => {
    const folder = folderWith({ 'oatf.config.yaml': '', 'oatf.config.ts': js });
    const loaded = await findAndLoadConfig(folder);
    expect(loaded).toMatchObject({ ok: false, reason: 'invalid' });
    expect((loaded as FailedConfig).problems[0]?.message).toMatch(/oatf\.config\.ts, oatf\.config\.yaml/);
  });

  test.each(['oatf.config.cts', 'oatf.config.cjs', 'oatf.config.jsonc', 'oatf.config.json5', 'oatf.config.toml'])(
    'reports %s as an unsupported format instead of ignoring it',
    async (name) => {
      expect(await findAndLoadConfig(folderWith({ [name]: '' }))).toMatchObject({
        ok: false,
        reason: 'invalid',
      });
    },
  );

  test.each(['oatf.config.cjs', 'oatf.config.toml'])(
    'ignores %s in a folder above the nearest configuration',
    async (name) => {
      const folder = folderWith({ [`a/${name}`]: '', 'a/b/x': '', 'oatf.config.yaml': 'agent: far' });
      expect(await findAndLoadConfig(join(folder, 'a/b'))).toMatchObject({
        ok: true,
        config: { agent: 'far' },
      });
    },
  );

  describe.skipIf(process.getuid?.() !== 0)('when the file belongs to another user', () => {
    const somebody = 65_534;
    const throwing = { 'oatf.config.mjs': 'throw new Error("cnry-run")', 'a/x': '' };

    async function refused(folder: string): Promise<void> {
      const loaded = await findAndLoadConfig(join(folder, 'a'));
      expect(loaded).toMatchObject({ ok: false, reason: 'invalid' });
      expect((loaded as FailedConfig).problems[0]?.message).toMatch(/^it belongs to another user/);
    }

    test.each([
      ['a folder that everybody can write to', 0o1777],
      ['a folder that only its owner can write to', 0o755],
    ])('refuses it in %s', async (_, mode) => {
      const folder = folderWith(throwing);
      chmodSync(folder, mode);
      chownSync(join(folder, 'oatf.config.mjs'), somebody, somebody);
      await refused(folder);
    });

    test('refuses a link of another user to a file of our own', async () => {
      const folder = folderWith({ 'mine/other.mjs': 'throw new Error("cnry-run")', 'a/x': '' });
      chmodSync(folder, 0o1777);
      symlinkSync(join(folder, 'mine/other.mjs'), join(folder, 'oatf.config.mjs'));
      lchownSync(join(folder, 'oatf.config.mjs'), somebody, somebody);
      await refused(folder);
    });

    test('refuses our own link to a file of another user', async () => {
      const folder = folderWith({ 'theirs/other.mjs': 'throw new Error("cnry-run")', 'a/x': '' });
      chownSync(join(folder, 'theirs/other.mjs'), somebody, somebody);
      symlinkSync(join(folder, 'theirs/other.mjs'), join(folder, 'oatf.config.mjs'));
      await refused(folder);
    });

    test('loads it if it is named explicitly', async () => {
      const folder = folderWith({ 'oatf.config.yaml': 'agent: theirs' });
      chownSync(join(folder, 'oatf.config.yaml'), somebody, somebody);
      const named = join(folder, 'oatf.config.yaml');
      expect(await loadConfig(named)).toMatchObject({ ok: true, config: { agent: 'theirs' } });
    });
  });
});

test('loadConfig reports every problem of a target with its position', async () => {
  const failed = await failureOf(
    'oatf.config.yaml',
    `targets:
  mine:
    command: "node {{promt}} {{nothing}}"
    answer: $.a
    turns: keep
    stdin: nothing
    env: { A: "{{other}}" }
  yours:
    http: http://127.0.0.1:1/
    body: { a: b }
    answer: (
    headers: { a: "{{x}}", b: "{{y}}" }
    start: { command: "a | b", env: { A: "{{z}}" } }
    configure: { url: "http://127.0.0.1:1/", body: "{{w}}" }
`,
  );
  expect(placesOf(failed)).toEqual([
    '3:14 targets.mine.command',
    '3:14 targets.mine.command',
    '7:15 targets.mine.env.A',
    '4:13 targets.mine.answer',
    '6:12 targets.mine.stdin',
    '10:5 targets.yours.body',
    '11:13 targets.yours.answer',
    '12:19 targets.yours.headers.a',
    '12:31 targets.yours.headers.b',
    '13:23 targets.yours.start.command',
    '13:42 targets.yours.start.env.A',
    '14:52 targets.yours.configure.body',
  ]);
});

describe('loadConfig, for files that it cannot read', () => {
  test.each([
    ['file that does not exist', 'nothing.yaml', 'unreadable'],
    ['folder', 'folder.yaml', 'unreadable'],
    ['link that leads nowhere', 'link.yaml', 'unreadable'],
    ['file of an unknown format', 'config.ini', 'invalid'],
    ['YAML file that is too long', 'long.yaml', 'invalid'],
    ['code file that is too long', 'long.mjs', 'invalid'],
  ])('fails for a %s', async (_, name, reason) => {
    const long = '#'.repeat(2 * 1024 * 1024 + 1);
    const folder = folderWith({
      'folder.yaml/x': '',
      'config.ini': '',
      'long.yaml': long,
      'long.mjs': `//${long}`,
    });
    symlinkSync('nowhere', join(folder, 'link.yaml'));
    expect(await loadConfig(join(folder, name))).toMatchObject({ ok: false, reason });
  });
});

describe('positions of problems that loadConfig reports', () => {
  test.each([
    ['an invalid value', 'agent: mine\ntimeout: soon\n', ['2:10 timeout']],
    ['an unknown key', 'agent: mine\ntimout: 3s\n', ['2:1 timout']],
    [
      'a missing value',
      'targets:\n  mine:\n    agUi: http://127.0.0.1:1/\n    start:\n      cwd: .\n',
      ['4:5 targets.mine.start'],
    ],
    ['an invalid value in a list', 'documents:\n  - a\n  - 1\n', ['3:5 documents[1]']],
    [
      'an invalid value deep in a target',
      'targets:\n  mine:\n    command: [node]\n    env: { A: 1 }\n',
      ['4:15 targets.mine.env.A'],
    ],
    ['a repeated key', 'agent: a\nagent: b\n', ['2:1 agent']],
    ['an alias', 'agent: &a mine\nprompt: *a\n', ['1:11 agent', '2:9 prompt']],
    ['a tag', 'agent: !env HOME\n', ['1:13 agent']],
    ['broken YAML', 'agent: [a\n', ['2:1 ']],
    ['a directive for another YAML version', '%YAML 1.1\n---\nprojections: yes\n', ['1:1 ']],
    ['two documents', 'agent: a\n---\nagent: b\n', ['2:1 ']],
    ['a control character', 'agent: "a\u0007"\n', ['1:10 ']],
    ['a list at the top', '- a\n', ['1:1 ']],
    ['a command with an unclosed quote', 'targets:\n  mine:\n    command: node "a\n', ['3:14 targets.mine.command']],
    ['an unknown placeholder', 'targets:\n  mine:\n    command: node {{promt}}\n', ['3:14 targets.mine.command']],
    [
      'a start command without a program',
      'targets:\n  mine:\n    agUi: http://127.0.0.1:1/\n    start: { command: "" }\n',
      ['4:23 targets.mine.start.command'],
    ],
    [
      'an answer that is not a JSONPath',
      'targets:\n  mine:\n    http: http://127.0.0.1:1/\n    answer: "$$"\n',
      ['4:13 targets.mine.answer'],
    ],
    [
      'problems in two targets',
      'targets:\n  one: { comand: a }\n  two: { command: "a |b" }\n',
      ['2:3 targets.one', '3:19 targets.two.command'],
    ],
  ])('points into the YAML text at %s', async (_, text, places) => {
    expect(placesOf(await failureOf('oatf.config.yaml', text))).toEqual(places);
  });

  test.each([
    ['an invalid value', '{\n  "timeout": "soon"\n}', ['2:14 timeout']],
    ['a trailing comma', '{\n  "agent": "a",\n}', ['3:1 ']],
    ['a key without quotes', '{ agent: "a" }', ['1:3 ']],
    ['a comment', '{ // no\n}', ['1:3 ']],
    ['an object that is not closed', '{ "agent": "a"', ['1:15 ']],
    ['an empty text', '', ['1:1 ']],
    ['a repeated key', '{"agent": "a", "agent": "b"}', ['1:16 agent']],
  ])('points into the JSON text at %s', async (_, text, places) => {
    expect(placesOf(await failureOf('oatf.config.json', text))).toEqual(places);
  });

  test('accepts exactly what JSON.parse accepts as JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '#', "'", '}', '['), (text, at, thing) => {
        const cut = at % (text.length + 1);
        const broken = thing === '' ? text.slice(0, cut) : text.slice(0, cut) + thing + text.slice(cut);
        let isJson = true;
        try {
          JSON.parse(broken);
        } catch {
          isJson = false;
        }
        const flaw = findJsonFlaw(broken);
        // Valid JSON is accepted completely; for invalid JSON, the reported place exists.
        return isJson ? flaw === broken.length : flaw >= 0 && flaw <= broken.length;
      }),
    );
  });
});

describe('problems that loadConfig reports for a configuration in code', () => {
  test.each([
    [
      'invalid settings',
      "export default { timeout: 'soon', targets: { mine: { command: '' } } };",
      ['timeout', 'targets.mine.command'],
    ],
    ['an invalid target', "export default { targets: { mine: { command: 'a {{b}}' } } };", ['targets.mine.command']],
    ['a missing default export', 'export const config = {};', ['']],
    ['an export that is a function', 'export default () => ({});', ['']],
    ['an export that is undefined', 'export default undefined;', ['']],
    ['an export that is a text', "export default 'mine';", ['']],
    ['a rejected promise', "export default Promise.reject(new Error('no'));", ['']],
    ['a thrown error', "throw new Error('no');", ['']],
    ['a thrown object whose text cannot be made', "throw { toString() { throw new Error('no'); } };", ['']],
    ['code that does not parse', 'export default {', ['']],
    ['an import of a missing module', "import './nothing.mjs';\nexport default {};", ['']],
    ['a getter that throws', "export default { get agent() { throw new Error('no'); } };", ['']],
  ])('have the path of %s', async (_, text, paths) => {
    const failed = await failureOf('oatf.config.mjs', text);
    expect(failed).toMatchObject({ reason: 'invalid', isCode: true });
    expect(failed.problems.map(({ path }) => formatPath(path))).toEqual(paths);
  });

  test('stops waiting for a promise that never resolves', async () => {
    const folder = folderWith({ 'oatf.config.mjs': 'await new Promise(() => {});\nexport default {};' });
    expect(await importConfig(join(folder, 'oatf.config.mjs'), 5)).toMatchObject({ ok: false });
    writeFileSync(join(folder, 'later.mjs'), 'export default new Promise(() => {});');
    expect(await importConfig(join(folder, 'later.mjs'), 5)).toMatchObject({ ok: false });
  });

  test('include the message and line of a thrown error', async () => {
    const failed = await failureOf('oatf.config.mts', "\n\nthrow new Error('where is the key');\n");
    expect(failed.problems[0]?.message).toMatch(/where is the key \(line 3\)/);
  });
});

test('loadConfig leaves no cache file behind when it strips types', async () => {
  const folder = folderWith({ 'oatf.config.mts': js, 'node_modules/x/package.json': '{}' });
  await loadConfig(join(folder, 'oatf.config.mts'));
  expect(existsSync(join(folder, 'node_modules/.cache'))).toBe(false);
});
