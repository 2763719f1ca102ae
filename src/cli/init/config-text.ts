import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stringify } from 'yaml';
import type { Target } from '../../agents/adapters/targets.ts';
import { readRegular } from '../../files/regular-file.ts';
import { isValueMap } from '../../format/model/value.ts';
import type { Config } from '../../suite/config/config.ts';

export type InitFormat = 'yaml' | 'ts' | 'js' | 'json';

interface Surroundings {
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

export const attacksFolder = 'attacks';

const ownTargetName = 'mine';

/** The address at which a server waits for an agent that is already running. */
export const firstAddress = '127.0.0.1:8080';

export type AgentChoice =
  | { readonly kind: 'built-in'; readonly names: readonly string[] }
  | { readonly kind: 'target'; readonly target: Target };

export function createFirstConfig(chosen: AgentChoice): Config {
  const documents = [attacksFolder];
  if (chosen.kind === 'built-in') return { documents, agent: chosen.names };
  const { target } = chosen;
  return {
    documents,
    agent: ownTargetName,
    targets: { [ownTargetName]: target },
    ...(isServed(target) && { listen: { '*': firstAddress } }),
  };
}

/** Whether the agent is already running: its user has to configure the servers, so they need a fixed address. */
export function isServed(target: Target): boolean {
  return 'agUi' in target || 'http' in target || 'a2a' in target;
}

/** One target of each kind that a data file can contain. */
export const examples: readonly (readonly [what: string, name: string, target: Target])[] = [
  [
    'a program, launched for each run',
    'program',
    { command: 'node my-agent.mjs --mcp-config {{mcp_config}} --prompt {{prompt}}' },
  ],
  [
    'a server that speaks AG-UI',
    'assistant',
    { agUi: 'http://127.0.0.1:8000/', headers: { authorization: 'Bearer {{env.MY_TOKEN}}' } },
  ],
  [
    'a server with a JSON endpoint of its own',
    'service',
    { http: 'http://127.0.0.1:8000/chat', body: { message: '{{prompt}}' }, answer: '$.reply' },
  ],
  ['a server that speaks A2A', 'colleague', { a2a: 'http://127.0.0.1:9000/' }],
  ['the built-in agent with a language model, whose key is in the environment', 'model', { llm: 'gpt-5-mini' }],
];

/** A target that only a code file can contain. */
const functionExample = [
  'a function in this process',
  "inside: { function: async ({ prompt, mcpConfig, signal }) => '…' },",
] as const;

/** Describes the folder of a new configuration. */
export function readSurroundings(folder: string): Surroundings {
  return { isModule: isModuleFolder(folder), installed: findInstalledSchema(folder) };
}

/** Checks for the schema that editors read; the package may be incomplete. */
function findInstalledSchema(folder: string): string | undefined {
  const found = searchUpwards(folder, (at) => {
    const path = join(at, 'node_modules', 'oatf');
    return existsSync(join(path, 'dist', 'config.schema.json')) ? path : undefined;
  });
  return found === undefined ? undefined : relative(folder, found);
}

function isModuleFolder(folder: string): boolean {
  const manifest = searchUpwards(folder, (at) => {
    const path = join(at, 'package.json');
    return existsSync(path) ? path : undefined;
  });
  if (manifest === undefined) return false;
  try {
    return JSON.parse(readRegular(manifest)).type === 'module';
  } catch {
    // Other tools report an invalid package.json.
    return false;
  }
}

function searchUpwards<T>(folder: string, look: (at: string) => T | undefined): T | undefined {
  const found = look(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return searchUpwards(dirname(folder), look);
}
