import { describe, expect, test } from 'vitest';
import { lookAtMachine, lookAtNode, lookAtProxies } from '../../src/cli/doctor/machine.ts';

describe('what doctor says of a machine', () => {
  test.each([
    ['18.20.0', 'wrong'],
    ['20.18.3', 'wrong'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['26.0.0', 'ok'],
  ])('Node %s is %s', (running, status) => {
    expect(lookAtNode(running).status).toBe(status);
  });

  test.each([
    [{}, 'ok'],
    [{ HTTP_PROXY: 'http://proxy.test:1' }, 'note'],
    [{ https_proxy: 'http://proxy.test:1' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: 'example.com' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: '127.0.0.1' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: 'localhost, 127.0.0.1' }, 'ok'],
    [{ HTTP_PROXY: 'http://proxy.test:1', no_proxy: '*' }, 'ok'],
  ] as const)('proxies %j: %s', (environment, status) => {
    expect(lookAtProxies(environment).map((finding) => finding.status)).toEqual([status]);
  });

  test('a proxy with a password is not repeated', () => {
    const told = JSON.stringify(lookAtProxies({ HTTP_PROXY: 'http://me:planted@proxy.test:1' }));
    expect(told).not.toContain('planted');
  });

  test('a folder that cannot be written is wrong', async () => {
    const findings = await lookAtMachine(undefined, { environment: {}, cwd: '/proc/1/nowhere' });
    expect(findings.filter(({ status }) => status === 'wrong')).toMatchObject([
      { says: expect.stringContaining('oatf-results cannot be written') },
    ]);
  });
});
