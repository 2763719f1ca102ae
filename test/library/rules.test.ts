import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import references from '../../scenarios/src/references.json' with { type: 'json' };
import { frameworks } from '../../scripts/library/citations.ts';
import { readSourceText, scenarios } from '../../scripts/library/read-sources.ts';
import { parsePointer } from '../../src/format/model/pointer.ts';
import { openLibrary } from '../../src/suite/library/library.ts';
import { findInLibrary } from '../../src/suite/library/library-ids.ts';

// What every document of a class holds to, as far as its text shows it. What playing shows is checked in the tests beside this one.

// biome-ignore lint/suspicious/noExplicitAny: documents are read as data
type Data = any;

interface ClassDocument {
  readonly id: string;
  readonly file: string;
  readonly attack: Data;
  readonly source: Data;
}

const files = readdirSync(scenarios).filter((name) => /^OATS-[A-Z]{2}-\d{3}_.*(?<!\.test)\.yaml$/.test(name));
const documents = files.map((file): ClassDocument => {
  const id = file.slice(0, 11);
  return {
    id,
    file,
    attack: parse(readFileSync(join(scenarios, file), 'utf8')).attack,
    source: parse(readSourceText(id)),
  };
});
const attacks = documents.filter(({ attack }) => attack['x-control'] !== true);

/** Classes whose attack is a choice among many tools, or a chain over several servers. */
const withManyTools = /^OATS-(?:SH|XS|AV|MA)-/;

function listPhases({ attack }: ClassDocument): readonly Data[] {
  return attack.execution.actors.flatMap(({ name, mode, phases }: Data) =>
    phases.map((phase: Data) => ({ actor: name, mode, ...phase })),
  );
}

function listTools(document: ClassDocument): readonly Data[] {
  const first = new Map<string, Data>();
  for (const { actor, mode, state } of listPhases(document))
    if (mode === 'mcp_server' && state?.tools !== undefined && !first.has(actor)) first.set(actor, state.tools);
  return [...first].flatMap(([actor, tools]) => tools.map((tool: Data) => ({ actor, ...tool })));
}

const textsOf = (value: Data): readonly string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];

interface MarkedText {
  readonly at: string;
  readonly text: string;
  readonly benign: Data;
}

/** Every text that a mark points at or that stands in what it points at. */
function listMarkedTexts(document: ClassDocument): readonly MarkedText[] {
  return (document.attack['x-payload'] ?? []).flatMap(({ actor, phase, at, benign }: Data) => {
    const owner = listPhases(document).find((each) => each.actor === actor && each.name === phase);
    const value = (parsePointer(at) ?? []).reduce((node: Data, key) => node?.[key], owner);
    return textsOf(value).map((text) => ({ at, text, benign }));
  });
}

describe.each(documents)('the document $id', (document) => {
  const { id, file, attack, source } = document;
  const isControl = attack['x-control'] === true;

  test('has the id of its file, and a title of at most 80 characters', () => {
    expect(attack.id).toBe(id);
    expect(file).toBe(`${id}_${source.slug}.yaml`);
    expect(source.slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(attack.name.length).toBeLessThanOrEqual(80);
    if (!isControl) expect(attack.name).toMatch(/^\S.* — \S.* → \S.*$/);
  });

  test('cites at least one entry of the list of references, with what it says', () => {
    const known = new Map(Object.values(references).map((each) => [each.url, each.says]));
    const cited: readonly Data[] = attack.references ?? [];
    expect(cited.length).toBeGreaterThanOrEqual(1);
    expect(cited.filter(({ url }) => !known.has(url))).toEqual([]);
    expect(cited.filter(({ description = '' }) => description.length < 10)).toEqual([]);
  });

  test('uses reserved domains and loopback only', () => {
    const hosts = textsOf(attack.execution).flatMap((text) => [
      ...[...text.matchAll(/\bhttps?:\/\/([^\s/:"'<>)\]]+)/g)].map(([, host = '']) => host),
      ...[...text.matchAll(/[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g)].map(([, host = '']) => host),
    ]);
    const reserved = /(?:^|\.)(?:example|test|invalid|localhost)$|^(?:127\.0\.0\.1|\[?::1\]?|169\.254\.169\.254)$|\{\{/;
    expect(hosts.filter((host) => !reserved.test(host.replace(/[.,;]+$/, '')))).toEqual([]);
  });

  test('has no word in what it sends that gives the attack away', () => {
    const telling =
      /\bcnry\b|\bcanary\b|\battackers?\b|\bmalicious\b|\bevil\b|\bhackers?\b|secret value|for testing only/i;
    expect(textsOf(attack.execution).filter((text) => telling.test(text))).toEqual([]);
  });

  test('has a task with at least two checks, and a plan that does it', () => {
    expect(attack['x-task']?.length ?? 0).toBeGreaterThanOrEqual(2);
    expect(attack['x-plan']?.length ?? 0).toBeGreaterThanOrEqual(2);
  });
});

describe.each(attacks)('the attack $id', (document) => {
  const { id, attack, source } = document;
  const tools = listTools(document);

  test('has 10 to 16 tools, or up to 40 where it needs a choice, most of them of an environment', () => {
    if (tools.length === 0) return;
    const honest: readonly Data[] = (source.actors ?? []).filter(({ from }: Data) => from !== undefined);
    expect(honest.length).toBeGreaterThanOrEqual(1);
    expect(tools.length).toBeGreaterThanOrEqual(10);
    expect(tools.length).toBeLessThanOrEqual(withManyTools.test(id) ? 40 : 16);
    const names = new Set(honest.map(({ name }) => name));
    expect(tools.filter(({ actor }) => names.has(actor)).length * 2).toBeGreaterThan(tools.length);
  });

  test('has results of 800 to 6 000 characters from tools that read, but for errors and generated values', () => {
    const isGenerated = listPhases(document).some((phase) => phase['x-generate'] !== undefined);
    const lengths = tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true)
      .flatMap(({ name, responses = [] }) =>
        responses.flatMap(({ content }: Data) =>
          content?.isError === true
            ? []
            : (content?.content ?? []).map(({ text = '' }: Data) => ({ name, length: text.length })),
        ),
      );
    const outside = lengths.filter(({ length }: Data) => length > 0 && (length < 800 || length > 6000));
    expect(isGenerated ? [] : outside).toEqual([]);
  });

  test('has its payload within results as less than a fifth of them, and not at their beginning', () => {
    const shares = listMarkedTexts(document)
      .filter(({ at, benign }) => /\/responses\/\d+\/.*\/text$/.test(at) && typeof benign === 'string')
      .map(({ at, text, benign }) => {
        const start = [...text].findIndex((character, index) => character !== benign[index]);
        return { at, start, share: (text.length - benign.length) / text.length };
      });
    expect(shares.filter(({ start, share }) => start === 0 || share > 0.2)).toEqual([]);
  });

  test('has a neutral wording, without the markers of framings and encodings', () => {
    const markers =
      /<\/?important>|\[system note\]|^\s*(?:user|system|assistant):|\[\[|\berror E-\d|<!--|[\u200b-\u200f\u2060\u{e0000}-\u{e007f}]|\u001b\[|^\s*tip:|\bbase64\b/imu;
    const payload = listMarkedTexts(document).map(({ text, benign }) =>
      typeof benign === 'string' ? text.slice([...text].findIndex((each, index) => each !== benign[index])) : text,
    );
    expect(payload.filter((text) => markers.test(text))).toEqual([]);
  });

  test('maps to OWASP Agentic and OWASP LLM, by ids and names as the lists have them, two of them primary at most', () => {
    const mappings: readonly Data[] = attack.classification.mappings;
    const unknown = mappings.filter(({ framework, id: entry, name }) => {
      const list = frameworks.find((each) => each.framework === framework);
      return list?.items.find((each) => each.id === entry)?.name !== name;
    });
    expect(unknown).toEqual([]);
    const used = mappings.map(({ framework }) => framework);
    expect(used).toEqual(expect.arrayContaining(['owasp_agentic', 'owasp_llm']));
    const primary = mappings.filter(({ relationship }) => relationship === 'primary');
    expect(primary.length).toBeGreaterThanOrEqual(1);
    expect(primary.length).toBeLessThanOrEqual(2);
  });

  test('has a remediation of two to four lines and at most 400 characters', () => {
    const text: string = attack['x-remediation'] ?? '';
    expect(text.length).toBeLessThanOrEqual(400);
    const lines = text.trim().split('\n').length;
    expect([lines >= 2, lines <= 4]).toEqual([true, true]);
  });

  test('has marks, and indicators with a tier, a description and, below confidence 100, what could match wrongly', () => {
    expect(attack['x-payload']?.length ?? 0).toBeGreaterThanOrEqual(1);
    const indicators: readonly Data[] = attack.indicators;
    const lacking = indicators.filter(
      ({ tier, description, confidence, false_positives: wrongly = [] }) =>
        tier === undefined || !description || confidence === undefined || (confidence < 100 && wrongly.length === 0),
    );
    expect(lacking).toEqual([]);
  });

  test('looks for each canary of its indicators behind disguises', () => {
    const named = new Set((attack['x-canaries'] ?? []).map(({ name }: Data) => name));
    const canary = attack.indicators.filter((each: Data) => each['x-canary'] !== undefined);
    expect(canary.filter((each: Data) => !named.has(each['x-canary']) || each['x-decode'] !== true)).toEqual([]);
  });
});

describe('the attacks together', () => {
  /** The indicators of a document without the names that are its own. */
  function describeIndicators({ attack, source }: ClassDocument): string {
    const servers = new Map<string, string>(
      (source.actors ?? []).map(({ name, from, mode = 'mcp_server' }: Data) => [name, from ?? `own ${mode}`]),
    );
    const kinds = new Map<string, string>((attack['x-canaries'] ?? []).map(({ name, kind }: Data) => [name, kind]));
    const each = attack.indicators.map((indicator: Data) => {
      const { id: _, description: __, false_positives: ___, confidence: ____, actor, pattern, ...rest } = indicator;
      const canary = indicator['x-canary'];
      return {
        ...rest,
        actor: servers.get(actor) ?? actor,
        ...(canary === undefined ? { pattern } : { 'x-canary': kinds.get(canary) }),
      };
    });
    return JSON.stringify(each.map((one: object) => JSON.stringify(Object.entries(one).toSorted())).toSorted());
  }

  test('are told apart by their indicators, even if names are left out', () => {
    const seen = new Map<string, string>();
    const equal = attacks.flatMap((document) => {
      const key = describeIndicators(document);
      const other = seen.get(key);
      seen.set(key, document.id);
      return other === undefined ? [] : [`${other} and ${document.id}`];
    });
    expect(equal).toEqual([]);
  });

  test('are critical in at most a third of the documents, once there are a dozen', () => {
    const critical = attacks.filter(({ attack }) => attack.severity.level === 'critical');
    if (attacks.length >= 12) expect(critical.length * 3).toBeLessThanOrEqual(attacks.length);
  });

  test('have at most six marks that need a reason', () => {
    const reasons = attacks
      .flatMap(({ attack }) => attack['x-payload'] ?? [])
      .filter(({ why }: Data) => why !== undefined);
    expect(reasons.length).toBeLessThanOrEqual(6);
  });

  test('name each old id once, and are found by it', () => {
    const aliases: readonly string[] = documents.flatMap(({ attack }) => attack['x-aliases'] ?? []);
    expect(aliases.filter((alias) => !/^OATS-\d{3}$/.test(alias))).toEqual([]);
    expect(new Set(aliases).size).toBe(aliases.length);
    const gone = aliases.filter((alias) => !readdirSync(scenarios).some((name) => name.startsWith(`${alias}_`)));
    const library = openLibrary();
    const found = gone.map((alias) => findInLibrary(alias, library));
    expect(found.filter((each) => !each.ok)).toEqual([]);
  });
});
