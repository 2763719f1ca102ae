import { stringify } from 'yaml';
import type { Config } from '../../config/config.ts';
import { isValueMap } from '../../model/value.ts';
import { type Chosen, examples, firstConfig, functionExample } from './first-config.ts';

export type InitFormat = 'yaml' | 'ts' | 'js' | 'json';

export interface Surroundings {
  /** Whether Node treats files in this folder as modules by default. */
  readonly isModule: boolean;
  /** The folder in which oatf is installed, relative to the new file; undefined if it is not installed. */
  readonly installed: string | undefined;
}

/** The name of the file, chosen so that Node reads it as a module. */
export function configName(format: InitFormat, { isModule }: Surroundings): string {
  const isScript = format === 'ts' || format === 'js';
  return `oatf.config.${isScript && !isModule ? 'm' : ''}${format}`;
}

export function configText(format: InitFormat, chosen: Chosen, around: Surroundings): string {
  const config = firstConfig(chosen);
  return writers[format](config, around);
}

const introduction = [
  'The agents and documents of oatf, and how attacks are played. oatf run --list --verbose shows every setting and its source.',
];
const aboutTargets = 'Your agents, by name, for agent and --agent. One of each kind:';

const writers: { readonly [F in InitFormat]: (config: Config, around: Surroundings) => string } = {
  yaml: (config, { installed }) =>
    [
      ...(installed === undefined
        ? []
        : [`# yaml-language-server: $schema=${installed}/dist/config.schema.json`]),
      ...commented('#', introduction),
      yamlOf(config),
      ...commented('#', [
        aboutTargets,
        'targets:',
        ...examples.flatMap(([what, name, target]) => [
          `  # ${what}`,
          ...indented(yamlOf({ [name]: target }).split('\n')),
        ]),
      ]),
      '',
    ].join('\n'),
  json: (config, { installed }) => {
    const $schema = installed === undefined ? {} : { $schema: `./${installed}/dist/config.schema.json` };
    return `${JSON.stringify({ ...$schema, ...config }, null, 2)}\n`;
  },
  ts: (config) => scriptOf(config, true),
  // Without oatf in the project, the import would fail.
  js: (config, { installed }) => scriptOf(config, installed !== undefined),
};

function scriptOf(config: Config, isImporting: boolean): string {
  const [what, line] = functionExample;
  const fields = Object.entries(config).map(([key, value]) => `  ${key}: ${literal(value, '  ')},`);
  const notes = commented('  //', [
    aboutTargets,
    'targets: {',
    ...indented(
      examples.flatMap(([about, name, target]) => [
        `// ${about}`,
        ...`${name}: ${literal(target, '')},`.split('\n'),
      ]),
    ),
    ...indented([`// ${what}`, line]),
    '},',
  ]);
  const [before, open, close] = isImporting
    ? ["import { defineConfig } from 'oatf/config';\n\n", 'defineConfig({', '});']
    : ['', '{', '};'];
  const type = isImporting ? [] : ["/** @type {import('oatf/config').Config} */"];
  return `${before}${[...commented('//', introduction), ...type, `export default ${open}`, ...fields, ...notes, close].join('\n')}\n`;
}

function yamlOf(value: object): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

function commented(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark} ${line}`);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** A value as source code, in the usual style. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, inner)).join(', ')}]`;
  if (!isValueMap(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : literal(key, '');
    return `${inner}${name}: ${literal(item, inner)},`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}
