import { relative } from 'node:path';
import { defineConfig } from 'tsdown';

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
  fixedExtension: false,
  hash: false,
  copy: ['src/testing/testing-jest.d.ts'],
  checks: { pluginTimings: false },
  deps: { onlyBundle: false },
  // Their builds for any platform: what Node is given by itself is CommonJS, and asks for Node's modules.
  alias: {
    'yaml/util': `${packages}/yaml/browser/dist/util.js`,
    yaml: `${packages}/yaml/browser/index.js`,
    'json-p3': `${packages}/json-p3/dist/json-p3.esm.js`,
  },
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
        chunk('yaml', 'node_modules/yaml/'),
        chunk('expressions', 'node_modules/(re2js|json-p3|@bufbuild/cel/dist/esm/parse)'),
        chunk('grpc', 'node_modules/@grpc/'),
        chunk('mcp-client', 'node_modules/@modelcontextprotocol/'),
        chunk('a2a-client', 'node_modules/@a2a-js/'),
        chunk('registry', 'src/(model|registry)/'),
        chunk('command-line', 'src/cli/run.ts'),
        chunk('document', 'src/(primitives/|document/|validate/|expression/(?!cel|json-view)|load)'),
        chunk('cel', 'src/evaluate/cel-evaluator'),
        chunk('evaluate', 'src/evaluate/'),
        chunk('judge', 'src/judge/'),
        chunk('catalogue', 'src/catalogue/'),
        chunk('engine', 'src/(engine|bindings)/'),
        chunk('transport', 'src/transport/(?!.*(grpc|proto))'),
        chunk('suite', 'src/suite/'),
        chunk('reports', 'src/report/(?!html)'),
        chunk('agents', 'src/agent/'),
        chunk('settings', 'src/config/(?!config.ts)'),
        chunk('explanations', 'src/cli/explanations'),
        chunk('running', 'src/cli/run/'),
        ...['explain', 'input', 'library', 'reports', 'trace', 'verdict'].map((folder) =>
          chunk(`cli-${folder}`, `src/cli/${folder}/`),
        ),
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
