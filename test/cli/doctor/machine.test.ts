import { describe, expect, test } from 'vitest';
import { checkMachine, checkNode, checkProxies } from '../../../src/cli/doctor/machine.ts';

describe('what oatf doctor says about this machine', () => {
  test.each([
    ['18.20.0', 'wrong'],
    ['20.18.3', 'wrong'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['26.0.0', 'ok'],
  ])('judges Node %s as %s', (running, status) => {
    expect(checkNode(running).status).toBe(status);
  });

  test.each([
    [{}, 'ok'],
    [{ HTTP_PROXY: 'http://proxy.test:1' }, 'note'],
    [{ https_proxy: 'http://proxy.test:1' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: 'example.com' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: '127.0.0.1' }, 'note'],
    [{ HTTP_PROXY: 'http://proxy.test:1', NO_PROXY: 'localhost, 127.0.0.1' }, 'ok'],
    [{ HTTP_PROXY: 'http://proxy.test:1', no_proxy: '*' }, 'ok'],
  ] as const)('judges the proxy settings %j as %s', (environment, status) => {
    expect(checkProxies(environment).map((finding) => finding.status)).toEqual([status]);
  });

  test('does not repeat the password of a proxy', () => {
    const reported = JSON.stringify(checkProxies({ HTTP_PROXY: 'http://me:planted@proxy.test:1' }));
    expect(reported).not.toContain('planted');
  });

  test('reports a results folder that cannot be written as wrong', async () => {
    const findings = await checkMachine(undefined, { environment: {}, cwd: '/proc/1/nowhere' });
    expect(findings.filter(({ status }) => status === 'wrong')).toMatchObject([
      { says: expect.stringContaining('oatf-results cannot be written') },
    ]);
  });
});
