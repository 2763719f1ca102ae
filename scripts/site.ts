// Builds the site: `npm run site` writes static files into site/ and fails on links that lead nowhere.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteAssets } from './site/assets.ts';
import { buildSite } from './site/build-site.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, process.argv[2] ?? 'site');
const { files, pages, problems } = buildSite(root);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of [...files, ...(await siteAssets(root))]) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${pages.length} pages in ${folder}`);
}
