import { isNode } from 'yaml';
import { builtInAgentNames, type Victim, type VictimTrigger } from '../../agents/built-in/built-in-agents.ts';
import type { YamlDocument } from '../../format/document/read-yaml.ts';
import { isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { compileRegex, type Regex } from '../../format/expression/regex.ts';
import { findMissingOffer } from '../../format/extensions/find-plan-violations.ts';
import { readDocumentPlan, readPlanSteps } from '../../format/extensions/read-plan.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { formatPath } from '../../format/model/path.ts';
import { parsePointer } from '../../format/model/pointer.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { findSelectorProblem, listPlanReferences } from '../../format/primitives/plan-values.ts';

// The victims of a test file: agents that fall for one thing, for documents whose payload no rule can read.

/** A victim before its steps are read, which needs the document. */
export interface WrittenVictim {
  readonly name: string;
  readonly when: VictimTrigger;
  readonly instead?: number | undefined;
  readonly do: Value;
}

type Report = (message: string) => void;

/** A longer victim would be a second agent. */
const mostLines = 15;

/** Reads the victims of a test file; `text` is the whole file. */
export function readVictims(
  written: Value | undefined,
  { yaml, text }: { readonly yaml: YamlDocument; readonly text: string },
  wrong: Report,
): readonly WrittenVictim[] {
  if (written === undefined) return [];
  if (!Array.isArray(written)) {
    wrong('victims: must be a list');
    return [];
  }
  const names = new Set<Value>(builtInAgentNames);
  return (written as readonly Value[]).flatMap((victim, index): WrittenVictim[] => {
    const at = `victims[${index}]`;
    if (!isValueMap(victim)) {
      wrong(`${at}: must be a mapping`);
      return [];
    }
    const odd = Object.keys(victim).find((key) => !['name', 'when', 'instead', 'do'].includes(key));
    if (odd !== undefined) wrong(`${at}.${odd}: there is no such key; a victim has name, when, instead and do`);
    const { name = `victim ${index + 1}`, when, instead, do: steps }: Partial<ValueMap> = victim;
    if (typeof name !== 'string' || names.has(name)) wrong(`${at}.name: must be a text, and no name of another agent`);
    names.add(name);
    const lines = countLines(text, yaml.getIn(['victims', index], true));
    if (lines > mostLines) wrong(`${at}: has ${lines} lines; a victim has at most ${mostLines}`);
    if (instead !== undefined && !(Number(instead) >= 1))
      wrong(`${at}.instead: must be the number of a step of the plan`);
    const trigger = readTrigger(when, `${at}.when`, wrong);
    if (steps === undefined) wrong(`${at}.do: is missing; it is a list of steps`);
    return trigger === undefined || steps === undefined
      ? []
      : [{ name: String(name), when: trigger, ...(instead !== undefined && { instead: Number(instead) }), do: steps }];
  });
}

function countLines(text: string, node: unknown): number {
  const [from, to] = isNode(node) ? (node.range ?? []) : [];
  return text.slice(from, to).trimEnd().split('\n').length;
}

const triggerKinds = ['read', 'schema', 'annotation', 'image'] as const;

function readTrigger(when: Value | undefined, at: string, wrong: Report): VictimTrigger | undefined {
  const kinds = isValueMap(when) ? triggerKinds.filter((kind) => when[kind] !== undefined) : [];
  const [kind] = kinds;
  if (!isValueMap(when) || kind === undefined || Object.keys(when).length > 1)
    return void wrong(`${at}: must be a mapping with one of ${triggerKinds.join(', ')}`);
  const value = when[kind] as Value;
  if (kind === 'read' || kind === 'image') {
    const pattern = readPattern(value, `${at}.${kind}`, wrong);
    return pattern && { kind, pattern };
  }
  if (!isValueMap(value)) return void wrong(`${at}.${kind}: must be a mapping`);
  const { actor, tool, ...rest } = value;
  if ([actor, tool].some((name) => name !== undefined && typeof name !== 'string'))
    return void wrong(`${at}.${kind}: \`actor\` and \`tool\` must be texts`);
  const of = { ...(typeof actor === 'string' && { actor }), ...(typeof tool === 'string' && { tool }) };
  if (kind === 'annotation')
    return Object.keys(rest).length > 0
      ? { kind, of, has: rest }
      : void wrong(`${at}.annotation: names no annotation, such as readOnlyHint: true`);
  const { at: pointer, matches, ...others }: Partial<ValueMap> = rest;
  if (typeof pointer !== 'string' || parsePointer(pointer) === undefined)
    return void wrong(`${at}.schema.at: must be a JSON Pointer into the input schema, such as /properties/note`);
  if (Object.keys(others).length > 0) return void wrong(`${at}.schema: has actor, tool, at and matches`);
  const pattern = matches === undefined ? undefined : readPattern(matches, `${at}.schema.matches`, wrong);
  return matches !== undefined && pattern === undefined ? undefined : { kind, of, at: pointer, pattern };
}

function readPattern(value: Value, at: string, wrong: Report): Regex | undefined {
  if (typeof value !== 'string' || value === '') return void wrong(`${at}: must be a regular expression`);
  const compiled = compileRegex(value);
  return isCompileFailure(compiled) ? void wrong(`${at}: ${compiled.failure}`) : compiled;
}

/** A victim as an agent for a document, or why there is none. */
export function prepareVictim(
  { name, when, instead, do: written }: WrittenVictim,
  document: NormalizedDocument,
): { readonly ok: true; readonly victim: Victim } | { readonly ok: false; readonly problem: string } {
  const plan = readDocumentPlan(document);
  if (plan === undefined)
    return { ok: false, problem: 'a victim follows the plan of its document, and the document has none (x-plan)' };
  if (instead !== undefined && plan[instead - 1] === undefined)
    return { ok: false, problem: `instead: the plan has no step ${instead}` };
  const { steps, findings } = readPlanSteps(written, ['do'], document);
  const [finding] = [
    ...findings,
    ...[...steps].flatMap(([index, step]) => findMissingOffer(step, ['do', index], document)),
  ];
  if (finding !== undefined) return { ok: false, problem: `${formatPath(finding.path)}: ${finding.message}` };
  for (const part of listPlanReferences(written)) {
    const problem =
      part.kind === 'wrong' || !/^(?:read|(?:do)?[1-9][0-9]{0,2})$/.test(part.reference.from)
        ? 'a value is written {{read:/regex/}}, {{1:$.path}} or {{do1:$.path}}'
        : findSelectorProblem(part.reference.selector);
    const value = part.kind === 'wrong' ? part.written : part.reference.written;
    if (problem !== undefined) return { ok: false, problem: `do: ${value}: ${problem}` };
  }
  return { ok: true, victim: { name, when, instead, steps: [...steps.values()] } };
}
