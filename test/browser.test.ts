import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser } from './support/browser.ts';
import { bundle } from './support/bundle.ts';

const startTimeout = 120_000;
const page = '<!doctype html><title>oatf</title><script type="module" src="/page.js"></script>';
const policy = "default-src 'none'; script-src 'self'";

test('the whole SDK is at most 200 kB, minified and gzipped', async () => {
  expect(gzipSync(await bundle('src/index.ts', 'browser'), { level: 9 }).length).toBeLessThanOrEqual(200_000);
});

describe('in a real Chromium, under a policy without unsafe-eval', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    const script = await bundle('test/browser/page.ts', 'browser');
    server = createServer(({ url }, response) => {
      const isScript = url === '/page.js';
      response.writeHead(url === '/' || isScript ? 200 : 404, {
        'content-type': isScript ? 'text/javascript' : 'text/html',
        'content-security-policy': policy,
      });
      response.end(isScript ? script : page);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await openBrowser();
  }, startTimeout);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('documents, expressions and traces are read and judged, and nothing is complained of', async () => {
    const { port } = server.address() as AddressInfo;
    const tab = await browser.context.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('console', (line) => {
      // Browsers ask for an icon by themselves.
      if (line.type() !== 'log' && !line.location().url.endsWith('/favicon.ico'))
        complaints.push(line.text());
    });
    await tab.goto(`http://127.0.0.1:${port}/`);
    await tab.waitForFunction('"outcome" in globalThis || document.readyState === "complete"');
    const outcome = await tab.evaluate('globalThis.outcome');
    expect({ outcome, complaints }).toEqual({
      outcome: {
        errors: 0,
        actor: 'default',
        serialized: 'oatf: "0.1"',
        verdict: 'exploited',
        cel: true,
        pattern: true,
        jsonPath: 'secret',
      },
      complaints: [],
    });
  }, 60_000);

  test('the policy is in force: eval is refused', async () => {
    const { port } = server.address() as AddressInfo;
    const tab = await browser.context.newPage();
    await tab.goto(`http://127.0.0.1:${port}/`);
    await tab.addScriptTag({ url: '/eval.js' }).catch(() => undefined);
    const refused = await tab.evaluate(() => {
      try {
        return new Function('return false')() as boolean;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
  }, 60_000);
});
