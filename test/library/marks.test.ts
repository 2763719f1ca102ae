import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkMarks } from '../../src/cli/test/check-marks.ts';
import { loadMarked } from '../../src/format/load-marked.ts';

// Every mark of a document has to matter: without it, the attack fails. These do not yet, and each must go on failing until its
// document is mended and its line is removed here.
const decoration: { readonly [id: string]: readonly string[] } = {
  'OATS-006': ['without the mark at /state/tools/0/responses/0 of lab, serve'],
  'OATS-011': [
    'without the mark at /state/tools/0/description of meters, crooked',
    'without the mark at /state/tools/0/responses/0/content/content/0/text of meters, crooked',
  ],
  'OATS-012': [
    'without the mark at /state/elicitations/0/message of tables, serve',
    'without the mark at /state/elicitations/0/requestedSchema of tables, serve',
  ],
  'OATS-020': [
    'without the mark at /state/run_agent_input/tools/0/description of default, phase-1',
    'without the mark at /state/tool_responses/0/content of default, phase-1',
  ],
  'OATS-029': ['with its needed marks alone'],
  'OATS-047': [
    'without the mark at /state/actions/0/params/_meta/forum.example~1open-page of customer, fish',
    'without the mark at /state/actions/0/params/_meta/forum.example~1open-page of customer, redeem',
  ],
  'OATS-061': [
    'without the mark at /state/agent_card/name of lookalike, serve',
    'without the mark at /state/agent_card/description of lookalike, serve',
  ],
  'OATS-067': [
    'without the mark at /state/task_responses/0/content/parts/0/text of rehearsal, serve',
    'without the mark at /state/task_responses/0/content/parts/0/text of hall, serve',
  ],
  'OATS-078': [
    'without the mark at /state/agent_card/signatures of pharmacy, serve',
    'without the mark at /state/agent_card/supportedInterfaces of pharmacy, serve',
  ],
  'OATS-084': ['without the mark at /state/run_agent_input/messages/0/content/1/source/value of user, ask'],
  'OATS-092': ['without the mark at /state/elicitations/2/message of lessons, serve'],
  'OATS-095': ['without the mark at /state/tools/0/responses/0/content/_meta of notices, serve'],
  'OATS-096': ['without the mark at /state/elicitations/0/message of lockers, serve'],
  'OATS-120': ['without the mark at /x-wire/0 of tickets, serve'],
  'OATS-121': ['without the mark at /state/tools/0/responses/0/content/structuredContent/levels of tides, serve'],
  'OATS-122': ['without the mark at /x-wire/0 of prices, serve'],
  'OATS-125': ['without the mark at /state/tools/1 of library, serve'],
  'OATS-126': ['without the mark at /x-wire/0 of returns, serve'],
  'OATS-128': ['without the mark at /x-wire/0 of canteen, serve'],
  'OATS-129': ['without the mark at /state/tools/0/responses/0/content/content/1/data of webcams, serve'],
  'OATS-130': ['without the mark at /x-wire/0 of harbour, serve'],
  'OATS-131': ['with its needed marks alone'],
  'OATS-132': ['without the mark at /x-wire/0 of meters, serve'],
  'OATS-133': ['without the mark at /state/task_responses/0/content/parts/1/file/bytes of archive, serve'],
  'OATS-134': ['without the mark at /x-wire/0 of parcels, serve'],
  'OATS-136': ['without the mark at /x-wire/0 of rooms, serve'],
  'OATS-137': ['without the mark at /x-wire/0 of meters, serve'],
  'OATS-138': ['without the mark at /x-wire/0 of registry, serve'],
  'OATS-139': ['without the mark at /x-wire/0 of parcels, serve'],
  'OATS-140': ['without the mark at /x-wire/0 of caller, ask'],
  'OATS-141': ['without the mark at /x-wire/0 of caller, ask'],
  'OATS-142': ['without the mark at /x-wire/0 of user, ask'],
};

const folder = join(import.meta.dirname, '../../scenarios');

test.each(readdirSync(folder).filter((name) => /^OATS-.*(?<!\.test)\.yaml$/.test(name)))(
  'every mark of %s matters, but for those that are listed',
  async (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const loaded = loadMarked(text);
    if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
    const playable = { document: loaded.document, file: name, text, warnings: [] };
    const cases = await checkMarks(playable, undefined, new AbortController());
    expect(cases.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    const failed = cases.filter(({ mismatches }) => mismatches.length > 0);
    expect(failed.map((each) => each.name)).toEqual(decoration[name.slice(0, 8)] ?? []);
  },
);
