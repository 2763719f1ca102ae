import { describe, expect, test } from 'vitest';
import type { McpConfig } from '../../../../src/agents/adapters/agent-under-test.ts';
import { httpAgent } from '../../../../src/agents/adapters/http-agent.ts';
import type { HttpTarget } from '../../../../src/agents/adapters/targets.ts';
import { attack, context, nobody, openServer, type Server, shipped, toolPoisoning, useTools } from './support.ts';

// Servers that outlive a run, and get the endpoints of each run.

interface Configured extends Server {
  readonly order: string[];
}

/** Keeps the configuration of each run, or only the latest one. */
async function openConfigured(whenAsked: (order: readonly string[]) => Promise<void>): Promise<Configured> {
  const known = new Map<string, McpConfig>();
  const order: string[] = [];
  const server = await openServer(async ({ path, body, headers }) => {
    const run = String(headers['x-run'] ?? body.run ?? '');
    if (path === '/configure') {
      order.push('configured');
      known.set(run, body.servers);
      return 'ok';
    }
    await whenAsked(order);
    await useTools(known.get(run) ?? { mcpServers: {} }, body.prompt, true);
    order.push('answered');
    return { answer: 'Done.' };
  });
  return { ...server, order };
}

const targetOf = (url: string, isByRun: boolean): HttpTarget => ({
  http: `${url}/ask`,
  ...(isByRun && { headers: { 'x-run': '{{run}}' } }),
  configure: {
    url: `${url}/configure`,
    method: 'PUT',
    body: { run: isByRun ? '{{run}}' : '', servers: '{{mcp_config}}' },
  },
});

const document = shipped(toolPoisoning);

describe('served agent with a configure request', () => {
  test('runs two attacks at once when the request names the run, each with its own servers', async () => {
    let meet = (): void => {};
    const both = new Promise<void>((resolve) => {
      meet = resolve;
    });
    // Each waits for the other's configuration, so runs that were played one after the other would never end.
    const { url, order, heard } = await openConfigured(async (seen) => {
      if (seen.length === 2) meet();
      await both;
    });
    const agent = httpAgent('mine', targetOf(url, true), context);
    expect(agent).toMatchObject({ isTold: true, isOneAtATime: false });
    const results = await Promise.all([attack(document, agent), attack(document, agent)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['exploited', 'exploited']);
    expect(order).toEqual(['configured', 'configured', 'answered', 'answered']);
    const reported = heard.filter(({ path }) => path === '/configure');
    expect(reported.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
    expect(new Set(reported.map(({ body }) => body.run)).size).toBe(2);
    expect(new Set(reported.map(({ body }) => JSON.stringify(body.servers))).size).toBe(2);
  });

  test('runs one attack at a time when the request does not name the run', async () => {
    const { url, order } = await openConfigured(async () => {});
    const agent = httpAgent('mine', targetOf(url, false), context);
    expect(agent).toMatchObject({ isTold: true, isOneAtATime: true });
    const results = await Promise.all([attack(document, agent), attack(document, agent), attack(document, agent)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['exploited', 'exploited', 'exploited']);
    expect(order).toEqual(['configured', 'answered', 'configured', 'answered', 'configured', 'answered']);
  });

  test.each([
    ['refuses', 409, /^configure: it answered HTTP 409 Conflict: \*{6} is busy$/],
    ['redirects', 307, /^configure: it answered HTTP 307, which is not followed$/],
  ])('does not attack when the configuring server %s, and tries again in the next run', async (_, status, reason) => {
    const { url, heard } = await openServer(({ path, headers }, response) => {
      if (path !== '/configure') return { answer: '' };
      response.writeHead(status).end(`${headers['x-api-key']} is busy`);
      return undefined;
    });
    const target = {
      ...targetOf(url, false),
      configure: {
        url: `${url}/configure`,
        headers: { 'x-api-key': 'planted-key-33' },
        body: '{{mcp_config}}',
      },
    };
    const agent = httpAgent('mine', target, context);
    await expect(agent.launch(nobody)).rejects.toThrow(reason);
    await expect(agent.launch(nobody)).rejects.toThrow(reason);
    const { written, ...run } = await attack(document, agent);
    expect(run).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
    expect(written).not.toContain('planted');
    expect(heard.map(({ path }) => path)).toEqual(['/configure', '/configure', '/configure']);
  });

  test('refuses to launch when nothing listens at the configuring address', async () => {
    const { url, close } = await openServer(() => 'ok');
    await close();
    await expect(httpAgent('mine', targetOf(url, true), context).launch(nobody)).rejects.toThrow(
      /^configure: nothing listens at/,
    );
  });

  test.each([
    ['neither request', {}, '{{mcp_config}}', true],
    ['the configuring request only', {}, ['{{run}}', '{{mcp_config}}'], true],
    ['the asking request only', { 'x-run': '{{run}}' }, '{{mcp_config}}', true],
    ['both requests', { 'x-run': '{{run}}' }, ['{{run}}', '{{mcp_config}}'], false],
  ])('runs in parallel only if both requests name the run: named in %s', (_, headers, body, isOneAtATime) => {
    const target = { http: 'http://127.0.0.1:9', headers, configure: { url: 'http://127.0.0.1:9', body } };
    expect(httpAgent('mine', target, context)).toMatchObject({ isOneAtATime });
  });

  test('is not told of endpoints when the configuring request has no placeholder for them', () => {
    const target = {
      http: 'http://127.0.0.1:9',
      configure: { url: 'http://127.0.0.1:9', body: { reset: true } },
    };
    expect(httpAgent('mine', target, context)).toMatchObject({ isTold: false, isOneAtATime: false });
  });
});
