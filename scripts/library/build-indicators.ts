import { writeCanaryRegex } from '../../src/format/extensions/canaries.ts';
import type { Canary } from '../../src/format/model/document-canary.ts';
import { type Data, fail } from './values.ts';

// Short forms of indicators and of checks of the task:
//   call: ACTOR or ACTOR/TOOL   a call of that server; `where: { PATH: REGEX }` says what its arguments look like
//   says: REGEX                 the agent's words to its user
//   canary: NAME                the core of that canary, behind disguises too

export function buildIndicators(written: readonly Data[], id: string, canaries: readonly Canary[]): readonly Data[] {
  return written.map((each, index) => ({ id: numberId(id, index), ...expandCheck(each, canaries) }));
}

export function buildTask(written: readonly Data[], id: string, canaries: readonly Canary[]): readonly Data[] {
  return written.map((each, index) => ({ id: `${id}-T${index + 1}`, ...expandCheck(each, canaries) }));
}

function numberId(id: string, index: number): string {
  return `${id}-${String(index + 1).padStart(2, '0')}`;
}

function expandCheck(check: Data, canaries: readonly Canary[]): Data {
  const { call, says, where, canary, ...rest } = check;
  return { ...expandSubject(call, says, where), ...rest, ...(canary !== undefined && expandCanary(canary, canaries)) };
}

function expandSubject(call?: string, says?: string, where: { readonly [path: string]: string } = {}): Data {
  if (says !== undefined)
    return {
      protocol: 'ag_ui',
      surface: 'text_message_content',
      target: 'delta',
      actor: 'user',
      direction: 'response',
      pattern: { regex: says },
    };
  if (call === undefined) return {};
  const [actor, tool] = call.split('/');
  const subject = { protocol: 'mcp', surface: 'tools/call', target: 'arguments', actor, direction: 'request' };
  const paths = Object.entries(where);
  if (tool === undefined && paths.length === 0) return subject;
  if (paths.length === 0) return { ...subject, target: 'name', pattern: { condition: tool } };
  const named = paths.map(([path, regex]) => ({ name: nameVariable(path), path, regex }));
  return {
    ...subject,
    expression: {
      cel: [
        ...(tool === undefined ? [] : [`message.name == ${JSON.stringify(tool)}`]),
        // Without an exclamation mark, which other tools take for a tag.
        ...named.map(
          ({ name, regex }) => `(${name} == null ? false : string(${name}).matches(${JSON.stringify(regex)}))`,
        ),
      ].join(' && '),
      variables: Object.fromEntries(named.map(({ name, path }) => [name, `arguments.${path}`])),
    },
  };
}

function nameVariable(path: string): string {
  return path.replace(/[^a-z0-9]+/gi, '_');
}

function expandCanary(name: string, canaries: readonly Canary[]): Data {
  const canary = canaries.find((each) => each.name === name) ?? fail(`there is no canary "${name}"`);
  return { pattern: { regex: writeCanaryRegex(canary) }, 'x-decode': true, 'x-canary': name };
}
