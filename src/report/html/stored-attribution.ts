import type { AttackStatistics, IndicatorAttribution, Rate } from '../../format/model/results-file.ts';
import type { ValueMap } from '../../format/model/value.ts';
import { describeAttribution } from '../attribution-text.ts';
import { readMapField, readMapsField, readNumberField, readTextField } from './stored-fields.ts';

/** Reads, from the statistics of an attack, which of its indicators matched without the attack too, in words. */
export function readAttributionLines(attack: ValueMap): readonly string[] | undefined {
  const attribution = readMapsField(attack, 'attribution').map(readAttribution);
  const lines = describeAttribution({ attribution } satisfies Pick<AttackStatistics, 'attribution'>);
  return lines.length === 0 ? undefined : lines;
}

function readAttribution(entry: ValueMap): IndicatorAttribution {
  const difference = readMapField(entry, 'difference');
  const value = readNumberField(difference, 'value');
  const [low, high] = Array.isArray(difference.interval) ? difference.interval : [];
  return {
    indicator: readTextField(entry, 'indicator') ?? '',
    status: readTextField(entry, 'status') === 'partly' ? 'partly' : 'not_attributed',
    attack: readCounts(readMapField(entry, 'attack')),
    twin: readCounts(readMapField(entry, 'twin')),
    ...(value !== undefined &&
      typeof low === 'number' &&
      typeof high === 'number' && { difference: { value, interval: [low, high] } }),
  };
}

function readCounts(rate: ValueMap): Rate {
  return {
    count: readNumberField(rate, 'count') ?? 0,
    of: readNumberField(rate, 'of') ?? 0,
    rate: null,
    interval: null,
  };
}
