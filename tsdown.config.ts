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
    testing: 'src/testing/testing.ts',
    config: 'src/config/config.ts',
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
  checks: { pluginTimings: false },
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
      // A chunk takes what its modules import along, unless a chunk above has it.
      groups: [
        chunk('version', 'src/(suite/tool|cli/version).ts'),
        chunk('languages', 'node_modules/(yaml|re2js|json-p3|@bufbuild/cel/dist/esm/parse)'),
        chunk('proto-wire', 'node_modules/@bufbuild/protobuf/dist/esm/wire/'),
        chunk('protobuf', 'node_modules/@bufbuild/protobuf/'),
        chunk('cel-library', 'node_modules/@bufbuild/'),
        chunk('grpc', 'node_modules/@grpc/'),
        chunk('mcp-client', 'node_modules/@modelcontextprotocol/'),
        // Values, and the words that every command knows.
        chunk(
          'model',
          'src/(model/|registry/(enumerations|modes|pieces|protocols|suggestions).ts|document/maximum-length.ts)',
        ),
        chunk('registry', 'src/registry/(?!schema/|json-schema|own-schema|wire)'),
        chunk('command-line', 'src/cli/(run|reports/(report|text)|input/operands|write-whole).ts'),
        chunk('catalogue', 'src/(catalogue/|suite/library.ts)'),
        chunk('library-parts', 'src/(suite/library-index|cli/library/(catalogue|list-text|json)).ts'),
        chunk('generate', 'src/generate/'),
        chunk(
          'document',
          'src/(primitives/|document/(?!convert|parse-value|format)|validate/(?!find-wire)|expression/(?!cel|json-view)|marks/read-(marks|task)|load.ts)',
        ),
        chunk('marked', 'src/(load-marked|marks/|validate/find-wire|registry/wire|document/format)'),
        chunk('schema', 'src/registry/(schema/|json-schema|own-schema)'),
        chunk('coverage', 'src/judge/(coverage|fingerprint)'),
        chunk('report-parts', 'src/report/(coverage|evidence|figures|fold|inert-lines|skipped).ts'),
        chunk(
          'settings',
          'src/(config/(named-agent|values|find-config|redact-pattern)|agent/(split-command|placeholders)).ts',
        ),
        chunk('views', 'src/bindings/included'),
        chunk('cel', 'src/evaluate/cel-evaluator'),
        chunk('evaluate', 'src/evaluate/'),
        chunk('judge', 'src/(judge/|suite/document-summary)'),
        chunk('evaluate-trace', 'src/evaluate-trace'),
        chunk('engine', 'src/(engine|bindings)/'),
        chunk('transport', 'src/transport/(stdio-server|clock|expanded|exposure/(check-tls|exposure)).ts'),
        chunk('http-transport', 'src/transport/(streamable-http|http-sse|wire/|exposure/)'),
        chunk('client-transport', 'src/transport/(?!a2a/|.*(grpc|proto))'),
        chunk('a2a-transport', 'src/transport/a2a/(?!.*(grpc|proto))'),
        chunk('judging', 'src/(suite/(judge-trace|evaluation|judging/)|disguise/)'),
        chunk('suite', 'src/suite/'),
        chunk('reports', 'src/report/(?!html)'),
        chunk('agents', 'src/agent/'),
        chunk('configuration', 'src/config/(?!config.ts)'),
        chunk('explanations', 'src/cli/explanations'),
        ...['terminal', 'verdict'].map((folder) => chunk(`${folder}-parts`, `src/cli/${folder}/`)),
        chunk('explained', 'src/cli/explain/(?!code)'),
        chunk('run-parts', 'src/cli/(run/|trace/describe-record)'),
        ...['input', 'trace'].map((folder) => chunk(`${folder}-parts`, `src/cli/${folder}/`)),
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
