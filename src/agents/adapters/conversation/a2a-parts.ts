import { isValueMap, type Value } from '../../../format/model/value.ts';

/** The parts of an A2A message or artifact as texts; malformed parts are accepted too. */
export function readPartTexts(parts: Value | undefined): readonly string[] {
  if (typeof parts === 'string') return [parts];
  const list = Array.isArray(parts) ? (parts as readonly Value[]) : [];
  return list.map((part) => {
    if (typeof part === 'string') return part;
    if (!isValueMap(part)) return '';
    if (typeof part.text === 'string') return part.text;
    return JSON.stringify(part.data ?? part.file ?? part);
  });
}

export function readTaskState(answer: Value | undefined): Value | undefined {
  if (!isValueMap(answer)) return undefined;
  return isValueMap(answer.status) ? answer.status.state : answer.status;
}
