import type { LoadedConfig } from '../../../config/load-config.ts';
import { externalAgent } from '../../../config/values.ts';
import type { Arguments } from '../../commands.ts';
import type { Io } from '../../io.ts';
import { shownFile } from '../results/out-folder.ts';
import { placeOf, type SettingRow, settingRows } from './setting-rows.ts';
import type { SettingName, Source, Sources } from './sources.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

type Typed = Arguments<'run'>;
type Decided = 'delivery' | 'twins' | 'failTier' | 'projections' | 'redact' | 'cardUrl' | 'earlyStop';

/** The values of all sources together. Flags that must be on or off are decided. */
export type RunValues = Omit<Typed, Decided> & { readonly [N in Decided]: Exclude<Typed[N], undefined> };

export interface Layers {
  readonly typed: Typed;
  /** The values that a resumed run began with. They are complete, so other sources are not asked. */
  readonly stored?: Partial<Typed> | undefined;
  readonly config?: LoadedConfig | undefined;
}

export interface Layered {
  readonly values: RunValues;
  readonly sources: Sources;
}

/** Flags win over stored values, those over the environment, and the environment over the file. */
export function layered(layers: Layers, io: Pick<Io, 'environment' | 'cwd'>): Layered | WrongUsage {
  const { typed } = layers;
  const values: Record<string, unknown> = { ...typed };
  const sources: { [name: string]: Source } = {};
  for (const [name, row] of Object.entries(settingRows) as [SettingName, SettingRow<unknown>][]) {
    const found = find(name, row, layers, io, hasAgent(values.agent));
    if ('message' in found) return found;
    if (found.value !== undefined) values[name] = found.value;
    sources[name] = found.source;
  }
  // Values that no file or variable can set may still have been stored.
  for (const [name, value] of Object.entries(layers.stored ?? {}))
    if (!Object.hasOwn(settingRows, name) && (values[name] === false || !isSaid(values[name]))) {
      values[name] = value ?? values[name];
      sources[name] = { kind: 'resumed' };
    }
  const wrong = withoutExternal(values) ?? withPatterns(values, sources, layers);
  return wrong ?? { values: values as unknown as RunValues, sources };
}

/** `external` is not the name of a target, so it is not looked up. */
function withoutExternal(values: Record<string, unknown>): WrongUsage | undefined {
  const agents = values.agent as readonly string[];
  if (!agents.includes(externalAgent)) return undefined;
  if (agents.length > 1)
    return wrongFlag(
      'agent',
      externalAgent,
      'it cannot be one of several agents',
      'give --agent external alone',
    );
  values.agent = [];
  return undefined;
}

/**
 * Patterns of all sources add up: a pattern that is dropped by mistake would reveal a secret. They are not stored,
 * because a pattern may itself be a secret.
 */
function withPatterns(
  values: Record<string, unknown>,
  sources: { [name: string]: Source },
  { typed, config }: Layers,
): WrongUsage | undefined {
  const { redactPattern: patterns } = typed;
  const [first] = patterns;
  if (first !== undefined && typed.redact === false)
    return wrongFlag('redact-pattern', '', '--no-redact was given, too', 'leave one of them out');
  if (first !== undefined) {
    values.redact = true;
    sources.redact = { kind: 'flag' };
  }
  const { redact } = config?.config ?? {};
  const own = typeof redact === 'object' ? redact : [];
  values.redactPattern = values.redact === true ? [...new Set([...patterns, ...own])] : [];
  return undefined;
}

function hasAgent(agents: unknown): boolean {
  return isSaid(agents) && !(agents as readonly string[]).includes(externalAgent);
}

interface Found {
  readonly value: unknown;
  readonly source: Source;
}

function find(
  name: SettingName,
  row: SettingRow<unknown>,
  { typed, stored, config }: Layers,
  { environment, cwd }: Pick<Io, 'environment' | 'cwd'>,
  isAttack: boolean,
): Found | WrongUsage {
  if (isSaid(typed[name])) return { value: typed[name], source: { kind: 'flag' } };
  if (stored !== undefined && name in stored)
    return { value: stored[name] ?? row.usual, source: { kind: 'resumed' } };
  const isMoot = row.needsAgent ? !isAttack : isDecided(name, typed);
  const usual: Found = { value: row.usual, source: { kind: 'usual' } };
  if (isMoot) return usual;
  const said = row.variable === undefined ? '' : (environment[row.variable] ?? '');
  if (row.variable !== undefined && said.trim() !== '') {
    const read = row.fromText?.(said.trim()) ?? { value: said };
    if ('problem' in read) return { message: `${row.variable}=${said}: ${read.problem}`, hint: read.hint };
    if (isSaid(read.value)) return { value: read.value, source: { kind: 'variable', name: row.variable } };
  }
  if (config === undefined || (row.isAgents && isAttack)) return usual;
  const value = row.fromFile?.(config.config, placeOf(config, cwd));
  return isSaid(value) ? { value, source: { kind: 'file', file: shownFile(config.path, cwd) } } : usual;
}

/** With `--stdio` the client that launched us is the agent; a resumed run already has its folder. */
function isDecided(name: SettingName, { stdio, resume }: Typed): boolean {
  return (name === 'agent' && stdio !== undefined) || (name === 'out' && resume !== undefined);
}

/** Whether a value was set. `false` counts as set: only a flag can give it. An empty list does not. */
export function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
