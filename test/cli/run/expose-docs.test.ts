import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { selfSigned } from '../../support/certificate.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { root, runCommand } from '../run-cli.ts';
import { shop } from '../started-run.ts';

// The commands on the page are valid; --list stops before anything listens.

const page = readFileSync(join(root, 'docs/guides/hosted-agents.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

interface Compose {
  readonly services?: { readonly [name: string]: { readonly command?: string } };
}

const config = blocks('yaml config').find((text) => text.startsWith('targets:')) ?? '';
const composed = blocks('yaml')
  .flatMap((text) => Object.values((parse(text) as Compose).services ?? {}))
  .flatMap(({ command }) => command ?? []);
const typed = blocks('sh').flatMap((text) => text.replaceAll('\\\n', ' ').split('\n'));
const commands = [...typed, ...composed].flatMap((line) => /\boatf run .*/.exec(line)?.[0] ?? []);

describe('the commands of docs/guides/hosted-agents.md', () => {
  const { cert, key } = selfSigned({ names: ['attacks.example.com'] });
  const files = Object.entries({ 'attack.yaml': shop, 'cert.pem': cert, 'key.pem': key });
  const plain = freshFolder(files);
  const configured = freshFolder([...files, ['oatf.config.yaml', config]]);

  test('are at least nine', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  test.each(commands)('are valid with --list: %s', async (command) => {
    const folder = command.includes('my-agent') ? configured : plain;
    const { stderr, exit } = await runCommand(`OATF_EXPOSE_SECRET=0123456789abcdef ${command} --list`, folder);
    expect([stderr, exit]).toEqual(['', 0]);
  });
});
