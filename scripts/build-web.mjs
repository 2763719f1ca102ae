// Builds the report's viewer: one HTML file that contains its script and style, and places for data.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

async function bundle(entry, options = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    charset: 'utf8',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    legalComments: 'none',
    write: false,
    ...options,
  });
  return outputFiles[0].text.trim();
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('web/src/main.ts', { format: 'iife' });
const style = await bundle('web/src/page.css');

// The page loads nothing and sends nothing. Only this script and this style run, and no string becomes markup.
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>oatf report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This report is put together by a script that is part of this file; nothing is loaded from elsewhere. The same results are in results.json.</noscript>
<div id="app"></div>
<!--oatf:index-->
<script>${script}</script>
<!--oatf:parts-->
</body>
</html>
`;

mkdirSync(`${root}/dist`, { recursive: true });
writeFileSync(`${root}/dist/viewer.html`, page);
