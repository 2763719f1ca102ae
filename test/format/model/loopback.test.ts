import { describe, expect, test } from 'vitest';
import { isLoopbackUrl } from '../../../src/agents/built-in/a2a-remote-agent.ts';
import { isLoopback } from '../../../src/format/model/loopback.ts';

const here = ['localhost', 'LOCALHOST', 'LocalHost', '127.0.0.1', '127.1.2.3', '127.255.255.255'];
const hereV6 = ['::1', '[::1]', '0:0:0:0:0:0:0:1', '0::1', '::0001', '[0000:0:0:0:0:0:0:01]', '::0:1'];
const elsewhere = [
  ...['', '127.0.0.999', '127.0.0', '127.1', '127.0.0.1.2', '127.0.0.01', '128.0.0.1', '0.0.0.0', '0', '1'],
  ...['localhost.', 'localhost.example', 'xlocalhost', '127.0.0.1.nip.io', '127.0.0.1 ', '2130706433'],
  ...['::', '[::]', '::2', '1::1', '::1::', '::ffff:127.0.0.1', '[::1', '::1]', '::1%lo', '0:0:0:0:0:0:0:0:1'],
  ...['0:0:0:0:0:0:1', '::11', ':1', ':::1', '[127.0.0.1]', '::1:'],
];

describe('isLoopback', () => {
  test.each([...here, ...hereV6])('accepts %j as this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  test.each(elsewhere)('refuses %j, which is not this machine', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('isLoopbackUrl', () => {
  test.each(['http://localhost/', 'https://127.0.0.1:8443/a', 'http://[::1]:9/', 'http://2130706433/'])(
    'accepts %s',
    (url) => {
      expect(isLoopbackUrl(url)).toBe(true);
    },
  );

  test.each(['ftp://localhost/', 'http://example.com/', 'localhost', 'http://127.0.0.1.nip.io/'])(
    'refuses %s',
    (url) => {
      expect(isLoopbackUrl(url)).toBe(false);
    },
  );
});
