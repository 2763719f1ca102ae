import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostSdkBytes } from '../../bench/size.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { bundle } from '../support/bundle.ts';

const startTimeout = 120_000;
const pageOf = (script: string): string =>
  `<!doctype html><title>oatf</title><script type="module" src="${script}"></script>`;
const probe = "try { new Function('') } catch ({ name }) { globalThis.outcome = name }";
const policy = "default-src 'none'; script-src 'self'";

test('the whole SDK is no larger than the bench allows, minified and gzipped', async () => {
  expect(gzipSync(await bundle('dist/index.js', 'browser'), { level: 9 }).length).toBeLessThanOrEqual(mostSdkBytes);
});

describe('the SDK in a real Chromium, under a policy without unsafe-eval', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    const files: { readonly [url: string]: string } = {
      '/': pageOf('/page.js'),
      '/page.js': await bundle('test/browser/page.ts', 'browser'),
      '/probe': pageOf('/probe.js'),
      '/probe.js': probe,
    };
    server = createServer(({ url = '' }, response) => {
      response.writeHead(Object.hasOwn(files, url) ? 200 : 404, {
        'content-type': url.endsWith('.js') ? 'text/javascript' : 'text/html',
        'content-security-policy': policy,
      });
      response.end(files[url] ?? '');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await openBrowser();
  }, startTimeout);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('reads and judges documents, expressions and traces without an error or a warning', async () => {
    const { port } = server.address() as AddressInfo;
    const tab = await browser.context.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('console', (line) => {
      // Browsers request an icon on their own.
      if (line.type() !== 'log' && !line.location().url.endsWith('/favicon.ico')) complaints.push(line.text());
    });
    await tab.goto(`http://127.0.0.1:${port}/`);
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

  test('runs under a policy that refuses eval', async () => {
    const { port } = server.address() as AddressInfo;
    const tab = await browser.context.newPage();
    await tab.goto(`http://127.0.0.1:${port}/probe`);
    expect(await tab.evaluate('globalThis.outcome')).toBe('EvalError');
  }, 60_000);
});
