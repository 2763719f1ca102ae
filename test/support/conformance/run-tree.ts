import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { checks } from './checks.ts';
import type { CheckOptions, Failure, Fixture } from './fixture.ts';

// Runs a fixture tree of the shape that /docs/development/conformance.md describes, case by case.

export interface CaseResult {
  /** File and id, such as `validate/suite.yaml VAL-013b`. */
  readonly id: string;
  readonly name: string;
  /** The expected and the actual result; absent if the case passed. */
  readonly failure?: string;
}

export interface Case {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly fixture: Fixture;
}

export function runConformance(root: string, options: CheckOptions = {}): CaseResult[] {
  return casesIn(root).map((found) => {
    const { id, name, fixture } = found;
    const failure = observe(found)(fixture, options);
    return failure === undefined ? { id, name } : { id, name, failure };
  });
}

export type Judge = (fixture: Fixture, options: CheckOptions) => Failure;

/**
 * Runs a case, and returns a function that judges it by the expectations of a fixture. A case in which we throw fails,
 * and does not hide the others.
 */
export function observe({ file, fixture }: Pick<Case, 'file' | 'fixture'>): Judge {
  const check = checks[dirname(file)];
  if (check === undefined) return () => `nobody checks ${file}`;
  const observed = guarded(() => check.observe(fixture, file));
  if ('thrown' in observed) return () => observed.thrown;
  return (other, options) => {
    const judged = guarded(() => check.judge(observed.value, other, file, options));
    return 'thrown' in judged ? judged.thrown : judged.value;
  };
}

function guarded<Value>(act: () => Value): { readonly value: Value } | { readonly thrown: string } {
  try {
    return { value: act() };
  } catch (thrown) {
    return { thrown: `threw ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

export function casesIn(root: string): Case[] {
  return Object.keys(checks).flatMap((folder) =>
    filesIn(root, folder).flatMap((file) =>
      folder.startsWith('parse/') ? documentIn(root, file) : listIn(root, file),
    ),
  );
}

function documentIn(root: string, file: string): Case[] {
  if (file.endsWith('.meta.yaml')) return [];
  const fixture = { text: textOf(root, file), meta: metaOf(root, file) };
  return [{ id: file, name: basename(file, '.yaml'), file, fixture }];
}

function listIn(root: string, file: string): Case[] {
  const fixtures: Fixture[] = readData(textOf(root, file));
  return fixtures.map((fixture) => ({
    id: `${file} ${fixture.id}`,
    name: String(fixture.name),
    file,
    fixture,
  }));
}

function filesIn(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => `${folder}/${name}`);
}

function textOf(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function metaOf(root: string, file: string): Fixture {
  const meta = file.replace(/\.yaml$/, '.meta.yaml');
  return existsSync(join(root, meta)) ? readData(textOf(root, meta)) : undefined;
}

function readData(text: string): Fixture {
  return parseDocument(text, { uniqueKeys: false }).toJS() ?? [];
}
