import type { Value } from '../model/value.ts';
import { readYaml } from './read-yaml.ts';

export type ParsedValue =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Parses a single value in YAML or JSON, within the limits of documents. */
export function parseValue(text: string): ParsedValue {
  const { yaml, problems } = readYaml(text);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, problem: problem.message };
  return yaml === undefined ? { ok: false, problem: 'the text is empty' } : { ok: true, value: yaml.toJS() as Value };
}
