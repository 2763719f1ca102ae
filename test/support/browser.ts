import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process for all pages: they come one after the other, and starting a process costs as much as showing a page.
  '--renderer-process-limit=1',
];

/** The browser that `OATF_CHROMIUM` names, else an installed one, else the one that npm brought along. */
async function findChromium(): Promise<string> {
  const named = process.env.OATF_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`OATF_CHROMIUM is ${named}, and there is no such file`);
  }
  const installed = usualPlaces.find((place) => existsSync(place));
  if (installed !== undefined) return installed;
  const carried = await carriedChromium();
  if (carried !== undefined) return carried;
  throw new Error('no Chromium was found; install chromium or google-chrome, or set OATF_CHROMIUM to the path of one');
}

async function carriedChromium(): Promise<string | undefined> {
  try {
    const { default: carried } = await import('@sparticuz/chromium');
    const path = await carried.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A headless Chromium with a fresh profile. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  const profile = await mkdtemp(join(tmpdir(), 'oatf-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--headless=new', ...flags],
    // The flag above asks for it; playwright's own would ask for the old headless mode.
    headless: true,
    ignoreDefaultArgs: ['--headless'],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
