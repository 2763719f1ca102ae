import { Document, isScalar, Scalar, visit } from 'yaml';
import { formatDocument } from '../../src/format/document/format.ts';
import { writeYaml } from '../../src/format/document/write-yaml.ts';
import { drawCanary } from '../../src/format/extensions/canaries.ts';
import type { Canary } from '../../src/format/model/document-canary.ts';
import { buildActors, type Environments } from './build-actors.ts';
import { buildIndicators, buildTask } from './build-indicators.ts';
import { buildMappings, buildReferences } from './citations.ts';
import { type Data, fail, isMap, mapStrings, readYamlData } from './values.ts';

export interface Environment {
  readonly servers: { readonly [server: string]: Data };
  /** Canaries of the environment: the kind of each, by its name. */
  readonly canaries: { readonly [name: string]: Data };
}

export interface WrittenDocument {
  readonly file: string;
  readonly text: string;
}

/** Writes the document of a source, or one of its other positions. */
export function buildDocument(
  id: string,
  text: string,
  environments: { readonly [name: string]: Environment },
  position?: number,
): WrittenDocument {
  const source = position === undefined ? readSource(id, text) : readPosition(readSource(id, text), position);
  const servers: Environments = Object.fromEntries(
    Object.entries(environments).map(([name, environment]) => [name, environment.servers]),
  );
  const { actors, marks } = buildActors(source, servers);
  const kinds = Object.assign({}, ...Object.values(environments).map(({ canaries }) => canaries), source.canaries);
  const canaries = drawCanaries(kinds, { ...source, actors, marks });
  const attack = buildAttack(source, actors, marks, canaries);
  const values = listFillings(canaries);
  const filled = mapStrings({ oatf: '0.1', attack }, (each) => fillCanaries(each, values));
  return { file: `${source.id}_${source.slug}.yaml`, text: writeDocument(filled, id) };
}

function readSource(id: string, text: string): Data {
  const source = readYamlData(text);
  if (!isMap(source)) fail(`${id} is empty`);
  if (source.slug === undefined) fail(`${id} has no slug`);
  return { id, ...source };
}

/** The other positions of a source: the same attack by another carrier. */
export function countPositions(text: string): number {
  return readYamlData(text)?.positions?.length ?? 0;
}

/** A position replaces what it names; an actor replaces the one of its name. */
function readPosition(source: Data, position: number): Data {
  const { actors = [], ...rest } = source.positions[position];
  const named = (name: string): Data => actors.find((each: Data) => each.name === name);
  const old = source.actors.filter((each: Data) => named(each.name) === undefined);
  return {
    ...source,
    ...rest,
    id: `${source.id}-${String(position + 2).padStart(3, '0')}`,
    aliases: rest.aliases ?? [],
    actors: [...old, ...actors],
  };
}

/** Draws every canary that the document names. */
function drawCanaries(kinds: { readonly [name: string]: Data }, document: Data): readonly Canary[] {
  const text = JSON.stringify(document);
  return Object.entries(kinds).flatMap(([name, written]): readonly Canary[] => {
    const { kind, with: company } = isMap(written) ? written : { kind: written };
    if (!text.includes(`<<${name}>>`) && !text.includes(`<<${name}.`)) return [];
    const value = drawCanary(kind, document.id, name) ?? fail(`there is no kind of canary "${kind}" (${name})`);
    return [{ name, kind, value, ...(company !== undefined && { with: company }) }];
  });
}

/** What `<<name>>` stands for, and `<<name.id>>` and `<<name.secret>>` of a key with two parts. */
function listFillings(canaries: readonly Canary[]): ReadonlyMap<string, string> {
  return new Map(
    canaries.flatMap(({ name, kind, value }) => {
      if (kind !== 'aws_key') return [[name, value] as const];
      const [id = '', secret = ''] = value.split(':');
      return [[name, value] as const, [`${name}.id`, id] as const, [`${name}.secret`, secret] as const];
    }),
  );
}

function fillCanaries(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/<<([\w.-]+)>>/g, (_, name: string) => values.get(name) ?? fail(`there is no canary "${name}"`));
}

const created = '2026-11-18';

/** The keys of a source that the script expands. All others go into the document as they are. */
function buildAttack(source: Data, actors: readonly Data[], marks: readonly Data[], canaries: readonly Canary[]): Data {
  const {
    id,
    title,
    slug: _s,
    aliases,
    description,
    severity,
    confidence,
    impact,
    category,
    tags,
    primary,
    related,
    references,
    remediation,
    user: _u,
    actors: _a,
    edits: _e,
    marks: _m,
    canaries: _c,
    positions: _p,
    indicators,
    correlation = 'any',
    task,
    plan,
    ...others
  } = source;
  return {
    id,
    name: title,
    version: 1,
    status: 'stable',
    created,
    author: 'oatf contributors',
    description,
    ...(severity !== undefined && { severity: { level: severity, confidence: confidence ?? 85 } }),
    impact,
    classification: { category, mappings: buildMappings(primary, related), tags },
    references: buildReferences(references ?? []),
    execution: { actors },
    ...(indicators !== undefined && {
      indicators: buildIndicators(indicators, id, canaries),
      correlation: { logic: correlation },
    }),
    ...others,
    ...(aliases?.length > 0 && { 'x-aliases': aliases }),
    ...(remediation !== undefined && { 'x-remediation': remediation }),
    ...(canaries.length > 0 && { 'x-canaries': canaries }),
    ...(marks.length > 0 && { 'x-payload': marks }),
    ...(task !== undefined && { 'x-task': buildTask(task, id, canaries) }),
    ...(plan !== undefined && { 'x-plan': plan }),
  };
}

const foldedFrom = 100;

function writeDocument(document: Data, id: string): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar: (_, node) => {
      if (!isScalar(node) || typeof node.value !== 'string') return;
      if (node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
      else if (node.value.length > foldedFrom) node.type = Scalar.BLOCK_FOLDED;
    },
  });
  const body = formatDocument(writeYaml(yaml as Document.Parsed));
  if (!body.ok) fail(`${id}: ${body.errors.map(({ message }) => message).join('; ')}`);
  return `# Written by scripts/library from src/${id.slice(0, 11)}.yaml; edit there.\n${body.text}`;
}
