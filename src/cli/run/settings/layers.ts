import type { LoadedConfig } from '../../../suite/config/load-config.ts';
import { externalAgent } from '../../../suite/config/value-patterns.ts';
import type { Arguments } from '../../commands.ts';
import type { Io } from '../../io.ts';
import { shortenFilePath } from '../results/out-folder.ts';
import { type SettingRow, settingRows } from './setting-rows.ts';
import type { SettingName, SettingSource, SettingSources } from './setting-sources.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

type Typed = Arguments<'run'>;
type Decided = 'delivery' | 'canaries' | 'twins' | 'failTier' | 'projections' | 'redact' | 'cardUrl' | 'earlyStop';

/** The values of all sources together. Flags that must be on or off are decided. */
export type RunValues = Omit<Typed, Decided> & { readonly [N in Decided]: Exclude<Typed[N], undefined> };

export interface SettingLayers {
  readonly typed: Typed;
  /** The values that a resumed run began with. They are complete, so other sources are not asked. */
  readonly stored?: Partial<Typed> | undefined;
  readonly config?: LoadedConfig | undefined;
}

export interface MergedSettings {
  readonly values: RunValues;
  readonly sources: SettingSources;
}

/** Flags win over stored values, those over the environment, and the environment over the file. */
export function mergeLayers(layers: SettingLayers, io: Pick<Io, 'environment' | 'cwd'>): MergedSettings | WrongUsage {
  const { typed } = layers;
  const values: Record<string, unknown> = { ...typed };
  const sources: { [name: string]: SettingSource } = {};
  for (const [name, row] of Object.entries(settingRows) as [SettingName, SettingRow<unknown>][]) {
    const found = findLayerValue(name, row, layers, io, hasAgent(values.agent));
    if ('message' in found) return found;
    if (found.value !== undefined) values[name] = found.value;
    sources[name] = found.source;
  }
  // Values that no file or variable can set may still have been stored.
  for (const [name, value] of Object.entries(layers.stored ?? {}))
    if (!Object.hasOwn(settingRows, name) && (values[name] === false || !isGivenSetting(values[name]))) {
      values[name] = value ?? values[name];
      sources[name] = { kind: 'resumed' };
    }
  const wrong = withoutExternal(values) ?? addPatterns(values, sources, layers);
  return wrong ?? { values: values as unknown as RunValues, sources };
}

/** `external` is not the name of a target, so it is not looked up. */
function withoutExternal(values: Record<string, unknown>): WrongUsage | undefined {
  const agents = values.agent as readonly string[];
  if (!agents.includes(externalAgent)) return undefined;
  if (agents.length > 1)
    return refuseFlag('agent', externalAgent, 'it cannot be one of several agents', 'give --agent external alone');
  values.agent = [];
  return undefined;
}

/**
 * Patterns of all sources add up: a pattern that is dropped by mistake would reveal a secret. They are not stored,
 * because a pattern may itself be a secret.
 */
function addPatterns(
  values: Record<string, unknown>,
  sources: { [name: string]: SettingSource },
  { typed, config }: SettingLayers,
): WrongUsage | undefined {
  const { redactPattern: patterns } = typed;
  const [first] = patterns;
  if (first !== undefined && typed.redact === false)
    return refuseFlag('redact-pattern', '', '--no-redact was given, too', 'leave one of them out');
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
  return isGivenSetting(agents) && !(agents as readonly string[]).includes(externalAgent);
}

interface LayerValue {
  readonly value: unknown;
  readonly source: SettingSource;
}

function findLayerValue(
  name: SettingName,
  row: SettingRow<unknown>,
  { typed, stored, config }: SettingLayers,
  { environment, cwd }: Pick<Io, 'environment' | 'cwd'>,
  isAttack: boolean,
): LayerValue | WrongUsage {
  if (isGivenSetting(typed[name])) return { value: typed[name], source: { kind: 'flag' } };
  if (stored !== undefined && name in stored) return { value: stored[name] ?? row.usual, source: { kind: 'resumed' } };
  const isMoot = row.needsAgent ? !isAttack : isDecided(name, typed);
  const usual: LayerValue = { value: row.usual, source: { kind: 'usual' } };
  if (isMoot) return usual;
  const text = row.variable === undefined ? '' : (environment[row.variable] ?? '');
  if (row.variable !== undefined && text.trim() !== '') {
    const read = row.fromText?.(text.trim()) ?? { value: text };
    if ('problem' in read) return { message: `${row.variable}=${text}: ${read.problem}`, hint: read.hint };
    if (isGivenSetting(read.value)) return { value: read.value, source: { kind: 'variable', name: row.variable } };
  }
  if (config === undefined || (row.isAgents && isAttack)) return usual;
  const value = row.fromFile?.(config.config, { folder: config.folder, cwd });
  return isGivenSetting(value) ? { value, source: { kind: 'file', file: shortenFilePath(config.path, cwd) } } : usual;
}

/** With `--stdio`, the client that launched us is the agent. A resumed run already has its folder. */
function isDecided(name: SettingName, { stdio, resume }: Typed): boolean {
  return (name === 'agent' && stdio !== undefined) || (name === 'out' && resume !== undefined);
}

/** Whether a value was set. `false` counts as set: only a flag can give it. An empty list does not. */
export function isGivenSetting(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
