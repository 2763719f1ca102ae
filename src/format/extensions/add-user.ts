import { isMap, type YAMLMap } from 'yaml';
import { decodeYamlDocument } from '../document/decode-document.ts';
import { formatDocument } from '../document/format.ts';
import { readYaml } from '../document/read-yaml.ts';
import { writeYaml } from '../document/write-yaml.ts';
import type { Document } from '../model/attack-document.ts';
import type { ValueMap } from '../model/value.ts';
import { userMode } from '../registry/known-modes.ts';
import { executionPath, listActorPlaces } from '../validate/document-parts.ts';

export type UserResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The run input with which a user says one thing. Nothing in it is a template. */
export function createRunInput(words: string, [threadId, runId, id]: readonly [string, string, string]): ValueMap {
  const messages = [{ id, role: 'user', content: words.replaceAll('{{', '\\{{') }];
  return { threadId, runId, messages, state: {}, tools: [], context: [], forwardedProps: {} };
}

/** Adds a user who gives the agent a task. The other forms become the one with several actors. */
export function addUser(text: string, task: string): UserResult {
  const { yaml } = readYaml(text);
  const draft = yaml === undefined ? undefined : (decodeYamlDocument(yaml).draft as Document);
  const execution = yaml?.getIn(executionPath, true);
  if (yaml === undefined || draft === undefined || !isMap(execution))
    return { ok: false, reason: 'it is not a document' };
  const actors = listActorPlaces(draft);
  if (actors.some(({ mode }) => mode === userMode)) return { ok: false, reason: 'the document has a user already' };
  const run_agent_input = createRunInput(task, ['task', 'task-1', 'task-1-1']);
  const name = actors.some((actor) => actor.name === 'user') ? 'task_giver' : 'user';
  const user = yaml.createNode({ name, mode: userMode, phases: [{ name: 'ask', state: { run_agent_input } }] });
  if (execution.has('actors')) execution.addIn(['actors'], user);
  else {
    const server = moveKeys(execution, yaml.createNode({ name: 'server' }), ['mode', 'phases']);
    if (!server.has('phases')) {
      const phase = moveKeys(execution, yaml.createNode({ name: 'serve' }));
      server.set('phases', yaml.createNode([phase]));
    }
    execution.set('actors', yaml.createNode([user, server]));
  }
  const written = formatDocument(writeYaml(yaml));
  return written.ok ? written : { ok: false, reason: written.errors[0]?.message ?? 'it cannot be written' };
}

/** Moves pairs, with their comments, from one mapping to another; all of them if no keys are given. */
function moveKeys(from: YAMLMap, to: YAMLMap, keys?: readonly string[]): YAMLMap {
  const isMoved = ({ key }: YAMLMap['items'][number]): boolean => keys?.includes(String(key)) ?? true;
  to.items.push(...from.items.filter(isMoved));
  from.items = from.items.filter((pair) => !isMoved(pair));
  return to;
}
