import { build } from 'esbuild';

/** The style and the script of every page. */
export async function siteAssets(root: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { site: 'web/site/main.ts', style: 'web/site/style.css' },
    outdir: 'site',
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    legalComments: 'none',
    write: false,
  });
  return outputFiles.map(({ path, text }) => [path.endsWith('.css') ? 'site.css' : 'site.js', text] as const);
}
