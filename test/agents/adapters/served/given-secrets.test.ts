import { expect, test } from 'vitest';
import { collectServedSecrets } from '../../../../src/agents/adapters/served/target-host.ts';
import type { ServedTarget } from '../../../../src/agents/adapters/targets.ts';

const context = {
  folder: '.',
  environment: { TOKEN: 'planted-token', API_KEY: 'planted-key', HOME: '/home/somebody' },
};

test.each<[string, ServedTarget, string, readonly string[]]>([
  ['nothing in a target without secrets', {}, 'http://127.0.0.1/', []],
  [
    'a password and a token in the URL',
    {},
    'http://me:planted-word@127.0.0.1/?token=planted-query',
    ['planted-word', 'planted-query', Buffer.from('me:planted-word').toString('base64')],
  ],
  [
    'headers with the names of secrets',
    { headers: { authorization: 'Bearer {{env.TOKEN}}', 'x-key': 'planted-plain', 'x-run': '{{run}}' } },
    'http://127.0.0.1/',
    ['Bearer planted-token', 'planted-token', 'planted-plain'],
  ],
  [
    'nothing in placeholders that differ from run to run',
    { headers: { authorization: 'Bearer {{run}}', 'x-mcp-key': '{{mcp_config}}' } },
    'http://127.0.0.1/',
    [],
  ],
  [
    'the key and the token of the configuring request',
    { configure: { url: 'http://127.0.0.1/?key=planted-query', headers: { 'x-token': 'planted-plain' } } },
    'http://127.0.0.1/',
    ['planted-query', 'planted-plain'],
  ],
  [
    'variables of the start command, except paths',
    {
      start: {
        command: 'serve',
        env: { MINE: '{{env.API_KEY}}', PASSWORD: 'pa"ssword', AT: '{{env.HOME}}' },
      },
    },
    'http://127.0.0.1/',
    ['planted-key', 'pa"ssword', 'pa\\"ssword'],
  ],
])('collectServedSecrets: finds %s', (_, target, url, expected) => {
  expect([...collectServedSecrets(target, url, [], context)].sort()).toEqual([...expected].sort());
});
