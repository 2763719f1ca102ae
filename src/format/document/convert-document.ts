import { isMap, type YAMLMap } from 'yaml';
import type { ParseError } from '../model/errors.ts';
import { awaitKey } from '../model/extension-keys.ts';
import type { Path } from '../model/path.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { getProtocol, getRole, type Role } from '../registry/known-modes.ts';
import { rewriteBehavior } from './convert/behavior.ts';
import type { ConversionChange, Rewriting, RewrittenMapping } from './convert/change.ts';
import { getText, listAt, listMappings, mapAt, recordChange, renameKey } from './convert/change.ts';
import { rewriteGenerated } from './convert/convert-generated.ts';
import {
  rewriteA2aClient,
  rewriteA2aServer,
  rewriteMcpClient,
  rewriteMcpServer,
} from './convert/thoughtjack-states.ts';
import { formatDocument } from './format.ts';
import { parse } from './parse.ts';
import { readYaml } from './read-yaml.ts';
import { writeYaml } from './write-yaml.ts';

export type { ConversionChange } from './convert/change.ts';

export type ConvertResult =
  | { readonly ok: true; readonly text: string; readonly changes: readonly ConversionChange[] }
  | { readonly ok: false; readonly errors: readonly ParseError[] };

/**
 * Rewrites a document for ThoughtJack as the same attack in OATF 0.1: its keys for client actions, progress, log messages,
 * tasks, and what a phase waits for. Keys without an equivalent stay as they are and are reported.
 */
export function convertDocument(text: string): ConvertResult {
  const { yaml, problems } = readYaml(text);
  if (yaml === undefined || problems.length > 0) {
    const parsed = parse(text);
    return parsed.ok ? { ok: true, text, changes: [] } : parsed;
  }
  const rewriting: Rewriting = { yaml, text, changes: [] };
  const root = yaml.contents;
  const attack = isMap(root) ? mapAt(root as YAMLMap, 'attack') : undefined;
  if (attack !== undefined) rewriteAttack(rewriting, { map: attack, path: ['attack'] });
  const { changes } = rewriting;
  if (!changes.some(({ kind }) => kind === 'rewritten')) return { ok: true, text, changes };
  const written = writeYaml(yaml);
  const formatted = formatDocument(written);
  return { ok: true, text: formatted.ok ? formatted.text : written, changes: sortByLine(changes) };
}

function sortByLine(changes: readonly ConversionChange[]): readonly ConversionChange[] {
  return [...changes].sort((a, b) => a.line - b.line);
}

function rewriteAttack(rewriting: Rewriting, { map, path }: RewrittenMapping): void {
  const execution = mapAt(map, 'execution');
  if (execution !== undefined) {
    const here = [...path, 'execution'];
    const mode = getText(execution, 'mode');
    rewriteState(rewriting, { map: execution, path: here }, mode, true);
    rewritePhases(rewriting, { map: execution, path: here }, mode);
    for (const actor of listMappings({ map: execution, path: here }, 'actors'))
      rewritePhases(rewriting, actor, getText(actor.map, 'mode'));
  }
  for (const indicator of listMappings({ map, path }, 'indicators')) rewriteSurface(rewriting, indicator);
}

function rewritePhases(rewriting: Rewriting, owner: RewrittenMapping, inherited: string | undefined): void {
  listMappings(owner, 'phases').forEach((phase, index) => {
    rewriteAwaits(rewriting, phase);
    rewriteState(rewriting, phase, getText(phase.map, 'mode') ?? inherited, index === 0);
  });
}

type Rewrite = (rewriting: Rewriting, state: RewrittenMapping, isFirst: boolean) => void;

const rewrites: { readonly [protocol: string]: { readonly [R in Role]: Rewrite } } = {
  mcp: { server: rewriteMcpServer, client: rewriteMcpClient },
  a2a: { server: rewriteA2aServer, client: rewriteA2aClient },
};

function rewriteState(rewriting: Rewriting, { map, path }: RewrittenMapping, mode = '', isFirst: boolean): void {
  const state = mapAt(map, 'state');
  if (state === undefined) return;
  const place = { map: state, path: [...path, 'state'] };
  const ofProtocol = Object.hasOwn(rewrites, getProtocol(mode)) ? rewrites[getProtocol(mode)] : undefined;
  ofProtocol?.[getRole(mode)](rewriting, place, isFirst);
  rewriteGenerated(rewriting, { map, path }, place);
  if (getProtocol(mode) === 'mcp' && getRole(mode) === 'server') rewriteBehavior(rewriting, { map, path }, place);
}

function rewriteAwaits(rewriting: Rewriting, phase: RewrittenMapping): void {
  const awaits = listAt(phase.map, 'await_extractors');
  if (awaits === undefined) return;
  const path: Path = [...phase.path, 'await_extractors'];
  for (const { map, path: here } of listMappings(phase, 'await_extractors')) {
    const timeout = getText(map, 'timeout');
    renameKey(map, 'timeout', 'within');
    if (timeout === undefined || typeof parseDuration(timeout) === 'number') continue;
    const [, milliseconds] = /^(\d+)ms$/.exec(timeout) ?? [];
    if (milliseconds === undefined) {
      recordChange(
        rewriting,
        'left',
        [...here, 'timeout'],
        map,
        `"${timeout}" is not an OATF duration: write 30s, 5m or PT30S`,
      );
      continue;
    }
    const seconds = Math.max(1, Math.ceil(Number(milliseconds) / 1_000));
    map.set('within', `${seconds}s`);
    recordChange(rewriting, 'rewritten', [...here, 'timeout'], map, `durations are whole seconds: ${seconds}s`);
  }
  renameKey(phase.map, 'await_extractors', awaitKey);
  recordChange(rewriting, 'rewritten', path, awaits, 'it is `x-await`, an extension of this tool');
}

/** Surface names from before OATF named the operations of the protocols. ThoughtJack looks at every message in any case. */
const oldSurfaces: ReadonlySet<string> = new Set([
  ...['server_info', 'tool_name', 'tool_description', 'tool_response'],
  ...['resource_uri', 'resource_content', 'prompt_description', 'prompt_content'],
  ...['task_status', 'agent_event'],
]);

function rewriteSurface(rewriting: Rewriting, { map, path }: RewrittenMapping): void {
  const surface = getText(map, 'surface');
  if (surface === undefined || !oldSurfaces.has(surface)) return;
  const node = map.get('surface', true);
  map.delete('surface');
  const message = `no operation is called ${surface}, and ThoughtJack looks at every message: it is left out`;
  recordChange(rewriting, 'rewritten', [...path, 'surface'], node, message);
}
