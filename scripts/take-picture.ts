// Takes the README's picture of a report: docs/images/report.png.
//
//   npm run picture
//
// It plays some attacks of the library against the built-in agents, and against a program that never uses its tools, so that
// the picture also shows inconclusive outcomes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openBrowser } from '../test/support/browser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  'OATS-001',
  'OATS-003',
  'OATS-010',
  'OATS-012',
  'OATS-020',
  'OATS-025',
  'OATS-060',
  'OATS-086',
  'OATS-090',
];
const config = `agent: [gullible, my-agent, candid, guarded]
documents: [${documents.join(', ')}]
targets:
  my-agent: { command: [node, -e, "console.log('I have no tools.')"] }
`;

const folder = mkdtempSync(join(tmpdir(), 'oatf-picture-'));
try {
  writeFileSync(join(folder, 'oatf.config.yaml'), config);
  spawnSync(process.execPath, [join(root, 'dist/cli.js'), 'run', '--quiet', '--out', 'results'], {
    cwd: folder,
    stdio: 'inherit',
  });
  const browser = await openBrowser();
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1000, height: 520 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'results/report.html')).href);
  await page.getByText('OATS-001').first().waitFor();
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  await page.screenshot({ path: join(root, 'docs/images/report.png') });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
