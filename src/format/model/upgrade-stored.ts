import { isValueMap, type Value, type ValueMap } from './value.ts';

// Version 3 of stored results has other names for a few fields than versions 1 and 2. Every reader of stored files calls
// these functions first, so that the rest of the code knows the names of version 3 only.

/** Brings `results.json` to version 3. Version 1 keeps its number, because outcomes meant something else in it. */
export function upgradeResults(results: ValueMap): ValueMap {
  const { version, runs, statistics, unproven, not_run } = results;
  if (version !== 1 && version !== 2) return results;
  return {
    ...results,
    version: version === 1 ? 1 : 3,
    ...(runs !== undefined && { runs: upgradeEach(runs, upgradeRun) }),
    ...(isValueMap(statistics) && {
      statistics: {
        ...statistics,
        ...(statistics.attacks !== undefined && { attacks: upgradeEach(statistics.attacks, upgradeAttack) }),
      },
    }),
    ...(unproven !== undefined && {
      unproven: upgradeEach(unproven, (each) => replaceValue(each, 'why', 'false_alarm', 'false_positive')),
    }),
    ...(not_run !== undefined && {
      not_run: upgradeEach(not_run, (each) => replaceValue(each, 'reason', 'not_there', 'unreachable')),
    }),
  };
}

/** Brings `plan.json` to version 3, whose settings say which canaries are played. Version 1 is left as it is. */
export function upgradePlan(plan: ValueMap): ValueMap {
  const { version, settings } = plan;
  if (version !== 2) return plan;
  return { ...plan, version: 3, ...(isValueMap(settings) && { settings: { canaries: 'as_written', ...settings } }) };
}

/** Brings a line of `runs.jsonl` to version 3. Lines do not name their version. */
export function upgradeRun(run: ValueMap): ValueMap {
  return renameField(run, 'not_there', 'unreachable');
}

function upgradeAttack(attack: ValueMap): ValueMap {
  const { twin } = attack;
  const renamed = renameField(attack, 'settled_early', 'skipped_repeats');
  return isValueMap(twin) ? { ...renamed, twin: renameField(twin, 'false_alarms', 'false_positives') } : renamed;
}

/** Stored files may be malformed: what is no list of mappings stays as it is, for the reader to refuse. */
function upgradeEach(list: Value, upgrade: (map: ValueMap) => ValueMap): Value {
  return Array.isArray(list) ? list.map((each) => (isValueMap(each) ? upgrade(each) : each)) : list;
}

/** The mapping with another name for a field, in the same place. */
function renameField(map: ValueMap, from: string, to: string): ValueMap {
  if (!Object.hasOwn(map, from)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function replaceValue(map: ValueMap, key: string, from: string, to: string): ValueMap {
  return map[key] === from ? { ...map, [key]: to } : map;
}
