import { defineConfig } from 'tsdown';

export default defineConfig([
  {
    entry: { index: 'src/index.ts' },
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    dts: true,
    fixedExtension: false,
  },
  {
    entry: { runtime: 'src/runtime.ts', testing: 'src/testing/testing.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: true,
    clean: false,
    fixedExtension: false,
    copy: ['src/testing/testing-jest.d.ts'],
  },
  {
    entry: { config: 'src/config/config.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: true,
    clean: false,
    fixedExtension: false,
  },
  {
    entry: { cli: 'src/cli/main.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: false,
    clean: false,
    fixedExtension: false,
  },
]);
