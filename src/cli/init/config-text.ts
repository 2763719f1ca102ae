import { stringify } from 'yaml';
import { isValueMap } from '../../format/model/value.ts';
import type { Config } from '../../suite/config/config.ts';
import { type AgentChoice, createFirstConfig, examples, functionExample } from './first-config.ts';

export type InitFormat = 'yaml' | 'ts' | 'js' | 'json';

export interface Surroundings {
  /** Whether Node treats files in this folder as modules by default. */
  readonly isModule: boolean;
  /** The folder in which oatf is installed, relative to the new file; undefined if it is not installed. */
  readonly installed: string | undefined;
}

/** The name of the file, chosen so that Node reads it as a module. */
export function chooseConfigName(format: InitFormat, { isModule }: Surroundings): string {
  const isScript = format === 'ts' || format === 'js';
  return `oatf.config.${isScript && !isModule ? 'm' : ''}${format}`;
}

export function formatConfig(format: InitFormat, chosen: AgentChoice, around: Surroundings): string {
  const config = createFirstConfig(chosen);
  return writers[format](config, around);
}

const introduction = [
  'The agents and documents of oatf, and how attacks are played. oatf run --list --verbose shows every setting and its source.',
];
const aboutTargets = 'Your agents, by name, for agent and --agent. One of each kind:';

const writers: { readonly [F in InitFormat]: (config: Config, around: Surroundings) => string } = {
  yaml: (config, { installed }) =>
    [
      ...(installed === undefined ? [] : [`# yaml-language-server: $schema=${installed}/dist/config.schema.json`]),
      ...commentLines('#', introduction),
      formatConfigYaml(config),
      ...commentLines('#', [
        aboutTargets,
        'targets:',
        ...examples.flatMap(([what, name, target]) => [
          `  # ${what}`,
          ...indentLines(formatConfigYaml({ [name]: target }).split('\n')),
        ]),
      ]),
      '',
    ].join('\n'),
  json: (config, { installed }) => {
    const $schema = installed === undefined ? {} : { $schema: `./${installed}/dist/config.schema.json` };
    return `${JSON.stringify({ ...$schema, ...config }, null, 2)}\n`;
  },
  ts: (config) => formatConfigScript(config, true),
  // Without oatf in the project, the import would fail.
  js: (config, { installed }) => formatConfigScript(config, installed !== undefined),
};

function formatConfigScript(config: Config, isImporting: boolean): string {
  const [what, line] = functionExample;
  const fields = Object.entries(config).map(([key, value]) => `  ${key}: ${formatLiteral(value, '  ')},`);
  const notes = commentLines('  //', [
    aboutTargets,
    'targets: {',
    ...indentLines(
      examples.flatMap(([about, name, target]) => [
        `// ${about}`,
        ...`${name}: ${formatLiteral(target, '')},`.split('\n'),
      ]),
    ),
    ...indentLines([`// ${what}`, line]),
    '},',
  ]);
  const [before, open, close] = isImporting
    ? ["import { defineConfig } from 'oatf/config';\n\n", 'defineConfig({', '});']
    : ['', '{', '};'];
  const type = isImporting ? [] : ["/** @type {import('oatf/config').Config} */"];
  return `${before}${[...commentLines('//', introduction), ...type, `export default ${open}`, ...fields, ...notes, close].join('\n')}\n`;
}

function formatConfigYaml(value: object): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

function commentLines(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark} ${line}`);
}

function indentLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** A value as source code, in the usual style. */
function formatLiteral(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map((item) => formatLiteral(item, inner)).join(', ')}]`;
  if (!isValueMap(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : formatLiteral(key, '');
    return `${inner}${name}: ${formatLiteral(item, inner)},`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}
