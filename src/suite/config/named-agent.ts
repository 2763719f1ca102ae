import { basename } from 'node:path';
import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import type { Target, TargetContext } from '../../agents/adapters/targets.ts';
import {
  builtInAgent,
  builtInAgentNames,
  type LlmJudge,
  llmJudge,
  readLlmSettings,
} from '../../agents/built-in/built-in-agents.ts';
import { getOwnValue } from '../../format/model/value.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { redactUrl } from '../../secrets/given-secrets.ts';
import { readCommandLine } from './command-line.ts';
import type { LoadedConfig } from './load-config.ts';
import { externalAgent, isHttpUrl } from './value-patterns.ts';

/** The sources in which names of agents are looked up. */
export interface AgentContext {
  readonly environment: { readonly [name: string]: string | undefined };
  /** The folder that relative paths start from if there is no configuration. */
  readonly cwd: string;
  readonly config?: LoadedConfig | undefined;
  /** Whether `external` is allowed: the run then waits for a client to connect. */
  readonly mayWait?: boolean | undefined;
}

/** A name of the user's for an agent that the text describes: `mine=command:node agent.mjs`. */
interface LabelledSpec {
  readonly label: string | undefined;
  readonly spec: string;
}

/** Separates the name before a described agent. Everything else, such as a URL with `=` in it, has none. */
function splitLabel(text: string): LabelledSpec {
  const [, label, spec] = /^([A-Za-z0-9][\w.-]{0,63})=(.*)$/s.exec(text) ?? [];
  const isSpec = spec !== undefined && prefixes.some((prefix) => spec.startsWith(prefix));
  return isSpec ? { label, spec } : { label: undefined, spec: text };
}

/** Whether a text is a valid value of `--agent`: a built-in name, a described agent or a target. */
export function isAgentValue(text: string, config: LoadedConfig | undefined): boolean {
  return (
    builtInAgentNames.some((name) => name === text) ||
    prefixes.some((prefix) => splitLabel(text).spec.startsWith(prefix)) ||
    findTarget(text, config) !== undefined
  );
}

/** Ends a displayed name from which something was left out. */
const more = '…';

/** Whether a stored name is enough to find its agent again. */
export function isWholeName({ name }: { readonly name: string }): boolean {
  // The name decides, not the stored kind: a stored plan must not be able to launch a program.
  return !name.endsWith(more) && !name.startsWith('command:');
}

export interface AgentProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Finds the agent that a text names: a built-in agent, a target of the configuration, or one that the text describes. */
export async function findNamedAgent(text: string, context: AgentContext): Promise<AgentUnderTest | AgentProblem> {
  const { config, environment, cwd } = context;
  const builtIn = builtInAgentNames.find((known) => known === text);
  // Agents are loaded on demand: a run that waits for a client to connect needs none.
  if (builtIn !== undefined) return builtInAgent(builtIn);
  const target = findTarget(text, config);
  if (target !== undefined && config !== undefined)
    return createTargetAgent(text, target, { environment, folder: config.folder });
  const { label, spec } = splitLabel(text);
  const prefix = prefixes.find((each) => spec.startsWith(each));
  if (prefix === undefined) return describeUnknownAgent(text, context);
  if (label !== undefined && isAgentValue(label, config))
    return { problem: `"${label}" is the name of another agent`, hint: 'choose a name that no agent has yet' };
  const described = specs[prefix](spec.slice(prefix.length));
  if ('problem' in described) return described;
  const agent = await createTargetAgent(label ?? `${prefix}${described.name}`, described.target, {
    environment,
    folder: cwd,
  });
  return 'problem' in agent && described.hint !== undefined ? { ...agent, hint: described.hint } : agent;
}

function findTarget(name: string, config: LoadedConfig | undefined): Target | undefined {
  return getOwnValue(config?.config.targets ?? {}, name);
}

async function createTargetAgent(
  name: string,
  target: Target,
  context: TargetContext,
): Promise<AgentUnderTest | AgentProblem> {
  const { createAgentOfTarget } = await import('./target-agent.ts');
  const agent = createAgentOfTarget(name, target, context);
  return 'problem' in agent ? { hint: 'docs/reference/configuration.md says what it can be', ...agent } : agent;
}

/** An agent that is described by its own name. The name is stored and printed, so it must not contain a secret. */
interface AgentSpec {
  readonly name: string;
  readonly target: Target;
  readonly hint?: string;
}

/** The prefixes with which a text can describe an agent. */
const specs = {
  'llm:': (text: string): AgentSpec => ({ name: text, target: { llm: text } }),
  'ag-ui:': (text: string): AgentSpec => ({
    name: shortenUrl(text),
    target: { agUi: text },
    hint: 'such as ag-ui:http://127.0.0.1:8000/',
  }),
  'a2a:': (text: string): AgentSpec => ({
    name: shortenUrl(text),
    target: { a2a: text },
    hint: 'such as a2a:http://127.0.0.1:8000/',
  }),
  'command:': (text: string): AgentSpec | AgentProblem => {
    const read = readCommandLine(text);
    if ('problem' in read) return read;
    const { words, env } = read;
    return {
      // Arguments may be secrets, and variables probably are.
      name: basename(words[0]),
      target: { command: words, env },
      hint: 'such as "command:node my-agent.mjs {{prompt}}"',
    };
  },
};

/** The target that a text describes by its prefix, without a configuration. */
export function parseTargetSpec(text: string): Target | AgentProblem {
  const { spec } = splitLabel(text);
  const prefix = prefixes.find((each) => spec.startsWith(each));
  if (prefix === undefined) return describeUnknownAgent(text);
  const described = specs[prefix](spec.slice(prefix.length));
  return 'problem' in described ? described : described.target;
}

type Prefix = keyof typeof specs;
const prefixes = Object.keys(specs) as readonly Prefix[];

function shortenUrl(text: string): string {
  const short = redactUrl(text);
  return URL.canParse(text) && short !== new URL(text).href ? `${short}${more}` : short;
}

/** The text of --agent, without the parts that may be secret. */
export function redactAgentSpec(text: string): string {
  const { label, spec } = splitLabel(text);
  if (label !== undefined) return `${label}=${redactAgentSpec(spec)}`;
  const prefix = prefixes.find((each) => text.startsWith(each));
  if (prefix === 'llm:') return text;
  if (prefix === undefined)
    return readPrefix(text) === undefined || isHttpUrl(text) ? redactUrl(text) : `${readPrefix(text)}${more}`;
  const described = specs[prefix](text.slice(prefix.length));
  return 'problem' in described ? `${prefix}${more}` : `${prefix}${described.name}`;
}

/** The text up to the first colon, including it. */
function readPrefix(text: string): string | undefined {
  return /^[^:]+:/.exec(text)?.[0];
}

function describeUnknownAgent(text: string, { config, mayWait }: Partial<AgentContext> = {}): AgentProblem {
  const problem = 'there is no such agent';
  if (text === externalAgent)
    return {
      problem: 'this stands for a client that connects by itself, and only oatf run waits for one',
      hint: 'name an agent',
    };
  if (isHttpUrl(text))
    return {
      problem: 'this does not say which protocol the server speaks',
      hint: 'write ag-ui: or a2a: before it; a JSON endpoint of your own is a target of a configuration',
    };
  const targets = Object.keys(config?.config.targets ?? {});
  const names = [...builtInAgentNames, ...(mayWait ? [externalAgent] : []), ...targets];
  const head = readPrefix(text);
  const near = head === undefined ? findNearest(text, names) : findNearest(head, prefixes);
  if (near !== undefined) return { problem, hint: `did you mean ${near}${head === undefined ? '' : more}?` };
  const others = `${names.join(', ')}, llm:MODEL, ag-ui:URL, a2a:URL, command:PROGRAM, or NAME= before one of these four`;
  return { problem, hint: `${describeTargets(config, targets)}; it can be ${others}` };
}

/** Where a name of the user's own would have come from. */
function describeTargets(config: LoadedConfig | undefined, targets: readonly string[]): string {
  if (config === undefined)
    return 'a name of your own is a target of a configuration, and there is none in this folder or its parents: oatf init writes one';
  const file = basename(config.path);
  return targets.length === 0
    ? `${file} was read, and has no targets: add one under \`targets\``
    : `${file} was read, and has the ${targets.length === 1 ? 'target' : 'targets'} ${targets.join(', ')}`;
}

const prefix = 'llm:';

/** Finds the judge that a text names: a language model, or a target of the configuration that is one. */
export function findNamedJudge(
  text: string,
  { config, environment, cwd }: Pick<AgentContext, 'config' | 'environment' | 'cwd'>,
): LlmJudge | AgentProblem {
  const target = getOwnValue(config?.config.targets ?? {}, text);
  const isModel = target !== undefined && 'llm' in target && typeof target.llm === 'string';
  if (!isModel && !text.startsWith(prefix))
    return {
      problem: target === undefined ? 'there is no such judge' : 'this target is not a language model',
      hint: 'it can be llm:MODEL, or a target of a configuration that has `llm`',
    };
  const settings = isModel
    ? readLlmSettings(target.llm, environment, { target, folder: config?.folder ?? cwd })
    : readLlmSettings(text.slice(prefix.length), environment, { folder: cwd });
  return 'problem' in settings ? settings : llmJudge(text, settings);
}
