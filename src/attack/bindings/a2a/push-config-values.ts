import type { Path } from '../../../format/model/path.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

/** One value of a push configuration. */
export interface PushConfigValue {
  /** The field of the configuration and its value. */
  readonly says: string;
  /** The path of the value in the message. */
  readonly path: Path;
}

const mostWords = 1_000;

/** Lists the values of push configurations, in messages that set one and in answers that contain one or several. */
export function listPushConfigValues(content: Value): readonly PushConfigValue[] {
  return listPushConfigs(content).flatMap(([config, at]) => listConfigValues(config, at));
}

type Placed = readonly [value: Value | undefined, path: Path];

function listPushConfigs(content: Value): readonly (readonly [ValueMap, Path])[] {
  const holders: readonly Placed[] = isValueMap(content)
    ? [[content, []], [content.configuration, ['configuration']], ...listPlacedItems(content.configs, ['configs'])]
    : listPlacedItems(content, []);
  return holders.flatMap(([holder, at]): readonly (readonly [ValueMap, Path])[] => {
    if (!isValueMap(holder)) return [];
    for (const key of ['pushNotificationConfig', 'taskPushNotificationConfig']) {
      const config = holder[key];
      if (isValueMap(config)) return [[config, [...at, key]]];
    }
    // Since 1.0 the configuration has no wrapper.
    return typeof holder.url === 'string' ? [[holder, at]] : [];
  });
}

function listPlacedItems(list: Value | undefined, at: Path): readonly Placed[] {
  return Array.isArray(list)
    ? list.slice(0, mostWords).map((item: Value, index): Placed => [item, [...at, index]])
    : [];
}

function listConfigValues(config: ValueMap, at: Path): readonly PushConfigValue[] {
  const words: PushConfigValue[] = [];
  const pending: [Value, Path][] = [[config, []]];
  for (let next = pending.pop(); next !== undefined && words.length < mostWords; next = pending.pop()) {
    const [value, path] = next;
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) pending.push([item as Value, [...path, index]]);
    else if (isValueMap(value)) for (const [key, item] of Object.entries(value)) pending.push([item, [...path, key]]);
    else words.push({ says: JSON.stringify([path, value]), path: [...at, ...path] });
  }
  return words;
}
