import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { yamlBuild } from '../../scripts/package-builds.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A module of the repository, as source or as built, and everything it imports, as the text of one file. */
export async function bundle(entry: string, platform: 'node' | 'browser'): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: platform === 'browser' ? 'esm' : 'cjs',
    platform,
    alias: yamlBuild,
    target: 'es2023',
    minify: platform === 'browser',
    legalComments: 'none',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
