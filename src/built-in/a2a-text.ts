import { partTexts } from '../agent/conversation/a2a-parts.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { shorten } from './content-text.ts';

// Remote agents answer in many shapes, valid and malformed; a model reads their text.

/** All texts of an answer, in reading order. */
export function answerText(answer: Value): string {
  const texts = textsIn(answer).filter((text) => text.trim() !== '');
  const said = [...new Set(texts)].join('\n');
  return shorten(said === '' && !isPlainTask(answer) ? JSON.stringify(answer) : said);
}

function textsIn(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(textsIn);
  if (!isValueMap(value)) return [];
  const { status, message, artifact, artifacts, parts, content } = value;
  return [
    ...(isValueMap(status) ? textsIn(status.message) : []),
    ...textsIn(message),
    ...artifactTexts(artifacts ?? artifact),
    ...partTexts(parts ?? content),
  ];
}

function artifactTexts(artifacts: Value | undefined): readonly string[] {
  const list = Array.isArray(artifacts) ? (artifacts as readonly Value[]) : [artifacts];
  return list.flatMap((artifact) => {
    if (!isValueMap(artifact)) return textsIn(artifact);
    const title = [artifact.name, artifact.description].filter((text) => typeof text === 'string').join(': ');
    return [title, ...partTexts(artifact.parts ?? artifact.content)];
  });
}

/** A task that states only that it is done. */
function isPlainTask(answer: Value): boolean {
  return isValueMap(answer) && answer.status !== undefined;
}
