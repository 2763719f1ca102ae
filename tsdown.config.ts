import { relative } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Rolldown } from 'tsdown';
import { yamlBuild } from './scripts/package-builds.ts';

const root = import.meta.dirname;
const packages = `${root}/node_modules`;

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    runtime: 'src/runtime.ts',
    protocol: 'src/protocol.ts',
    testing: 'src/testing/testing.ts',
    config: 'src/suite/config/config.ts',
    cli: 'src/cli/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  minify: false,
  fixedExtension: false,
  hash: false,
  copy: ['src/testing/testing-jest.d.ts'],
  // A chunk may hold a module that one command imports at once and another on demand.
  checks: { pluginTimings: false, ineffectiveDynamicImport: false },
  // A class that nobody uses goes, even if its fields read those of another.
  treeshake: { propertyReadSideEffects: false },
  deps: { onlyBundle: false },
  alias: {
    // CEL is given our regular expressions, so the engine that it would bring along is never asked. This one is there anyway.
    '@bufbuild/re2': 're2js',
    // Builds for any platform: what Node is given by itself is CommonJS, and asks for Node's modules.
    ...yamlBuild,
    'json-p3': `${packages}/json-p3/dist/json-p3.esm.js`,
  },
  plugins: [withoutRegexpCheck(), shortenChunks()],
  outputOptions: {
    // Places are enough for stack traces.
    sourcemapExcludeSources: true,
    // What is loaded on demand is named after where it is.
    chunkFileNames: ({ facadeModuleId: id }) =>
      id ? `${relative(`${root}/src`, id).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')}.js` : '[name].js',
    codeSplitting: {
      // Few chunks: what some commands can do without is apart. A chunk takes what its modules import along, unless a chunk
      // above has it.
      groups: [
        // What reads the languages of documents, and the wire format that CEL and our transports share.
        chunk('languages', 'node_modules/(yaml|re2js|json-p3|@bufbuild/(cel/dist/esm/parse|protobuf/dist/esm/wire/))'),
        // Values, and the words that every command knows.
        chunk(
          'model',
          'src/format/(model/|registry/(known-modes|piece-kinds|protocols|suggestions).ts|document/maximum-length.ts)',
        ),
        chunk('version', 'src/(suite/plan/own-tool|cli/version).ts'),
        // What every command and the lists of documents need.
        chunk(
          'command-line',
          'src/(cli/(dispatch|reports/diagnostics-text|write-whole|library/catalogue).ts|suite/library/(?!document-summary))',
        ),
        // What the SDK needs. Of our extensions, it knows those that an evaluation reads.
        chunk(
          'format',
          'src/format/(?!load-marked|generate/|extensions/(?!read-(marks|checks|wire|decode|phase)|canar|propose-marks|suspicious-text)|document/(convert|format)|registry/(wire-|schema/|json-schema|own-schema|disclosure-)|expression/(cel|json-view))',
        ),
        chunk('extensions', 'src/format/(load-marked|generate/|extensions/)'),
        chunk('judgement', 'src/(judgement/(evaluate/(?!cel-evaluator)|judge/)|attack/bindings/included)'),
        chunk('cel', 'node_modules/@bufbuild/'),
        chunk('suite', 'src/(suite|report|secrets|agents/adapters|cli/(run|input|terminal|verdict|trace))/'),
      ],
    },
  },
});

function chunk(name: string, modules: string): { name: string; test: (id: string) => boolean } {
  const pattern = new RegExp(`^${modules.replaceAll('.ts', '\\.ts$')}`);
  const isDeclaration = /\.d\.[cm]?ts$/;
  return {
    name,
    test: (id) => pattern.test(relative(root, id).replaceAll('\\', '/')) && !isDeclaration.test(id),
  };
}

/**
 * JSONPath's `match` and `search` are ours, so the parser with which json-p3 checks their patterns is never asked. It is a
 * quarter of that package.
 */
function withoutRegexpCheck(): Rolldown.Plugin {
  const use = 'check$1(pattern)';
  const origin = 'var check$1 = check_1.check;';
  return {
    name: 'without-regexp-check',
    transform(code, id) {
      if (!id.endsWith('/json-p3.esm.js')) return null;
      for (const part of [use, origin])
        if (!code.includes(part)) throw new Error(`json-p3 has changed: ${part} is not in it`);
      // No line moves, so the map of the package stays right.
      return { code: code.replaceAll(use, 'true').replace(origin, ''), map: null };
    },
  };
}

/**
 * The less text, the sooner V8 has read it, at every start. Code of others is read by nobody here; ours keeps its names,
 * for stack traces, and loses its comments and spaces.
 */
function shortenChunks(): Rolldown.Plugin {
  return {
    name: 'shorten-chunks',
    async renderChunk(code, { moduleIds, fileName }) {
      if (!fileName.endsWith('.js')) return null;
      const isOthers = moduleIds.every((id) => id.startsWith(packages) || id.startsWith('\0'));
      const short = await transform(code, {
        minifyWhitespace: true,
        minifySyntax: true,
        minifyIdentifiers: isOthers,
        format: 'esm',
        target: 'node20.19',
        sourcemap: 'external',
        legalComments: 'none',
      });
      return { code: short.code, map: short.map };
    },
  };
}
