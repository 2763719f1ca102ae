import { isValueMap, type Value } from '../../model/value.ts';
import { partTexts } from '../built-in/a2a-text.ts';

/** What an agent says to its user with a message or a task: what is read of it, in its order. */
export function saidIn(answer: Value): string {
  if (!isValueMap(answer)) return typeof answer === 'string' ? answer : '';
  const { status, artifacts, parts } = answer;
  const message = isValueMap(status) && isValueMap(status.message) ? status.message : {};
  const made = Array.isArray(artifacts) ? (artifacts as readonly Value[]).filter(isValueMap) : [];
  const texts = [
    ...partTexts(message.parts),
    ...made.flatMap((artifact) => partTexts(artifact.parts)),
    ...partTexts(parts),
  ];
  return [...new Set(texts.filter((text) => text.trim() !== ''))].join('\n');
}
