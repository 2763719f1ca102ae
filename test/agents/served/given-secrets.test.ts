import { expect, test } from 'vitest';
import { givenSecrets } from '../../../src/agent/served/given-secrets.ts';
import type { ServedTarget } from '../../../src/agent/targets.ts';

const context = {
  folder: '.',
  environment: { TOKEN: 'planted-token', API_KEY: 'planted-key', HOME: '/home/somebody' },
};

test.each<[string, ServedTarget, string, readonly string[]]>([
  ['nothing', {}, 'http://127.0.0.1/', []],
  [
    'a password in the address',
    {},
    'http://me:planted-word@127.0.0.1/?token=planted-query',
    ['planted-word', 'planted-query', Buffer.from('me:planted-word').toString('base64')],
  ],
  [
    'headers that are secret by their names',
    { headers: { authorization: 'Bearer {{env.TOKEN}}', 'x-key': 'planted-plain', 'x-run': '{{run}}' } },
    'http://127.0.0.1/',
    ['Bearer planted-token', 'planted-token', 'planted-plain'],
  ],
  [
    'what differs from run to run is none',
    { headers: { authorization: 'Bearer {{run}}', 'x-mcp-key': '{{mcp_config}}' } },
    'http://127.0.0.1/',
    [],
  ],
  [
    'what configures it',
    { configure: { url: 'http://127.0.0.1/?key=planted-query', headers: { 'x-token': 'planted-plain' } } },
    'http://127.0.0.1/',
    ['planted-query', 'planted-plain'],
  ],
  [
    'what it is started with, but for paths',
    {
      start: {
        command: 'serve',
        env: { MINE: '{{env.API_KEY}}', PASSWORD: 'pa"ssword', AT: '{{env.HOME}}' },
      },
    },
    'http://127.0.0.1/',
    ['planted-key', 'pa"ssword', 'pa\\"ssword'],
  ],
])('%s', (_, target, url, expected) => {
  expect([...givenSecrets(target, url, [], context)].sort()).toEqual([...expected].sort());
});
