import { isValueMap, type Value } from '../../format/model/value.ts';
import { readPartTexts } from '../adapters/conversation/a2a-parts.ts';
import { shortenContent } from './content-text.ts';

// Remote agents answer in many shapes, valid and malformed; a model reads their text.

/** All texts of an answer, in reading order. */
export function formatA2aAnswer(answer: Value): string {
  const texts = collectTexts(answer).filter((text) => text.trim() !== '');
  const said = [...new Set(texts)].join('\n');
  return shortenContent(said === '' && !isPlainTask(answer) ? JSON.stringify(answer) : said);
}

function collectTexts(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(collectTexts);
  if (!isValueMap(value)) return [];
  const { status, message, artifact, artifacts, parts, content } = value;
  return [
    ...(isValueMap(status) ? collectTexts(status.message) : []),
    ...collectTexts(message),
    ...collectArtifactTexts(artifacts ?? artifact),
    ...readPartTexts(parts ?? content),
  ];
}

function collectArtifactTexts(artifacts: Value | undefined): readonly string[] {
  const list = Array.isArray(artifacts) ? (artifacts as readonly Value[]) : [artifacts];
  return list.flatMap((artifact) => {
    if (!isValueMap(artifact)) return collectTexts(artifact);
    const title = [artifact.name, artifact.description].filter((text) => typeof text === 'string').join(': ');
    return [title, ...readPartTexts(artifact.parts ?? artifact.content)];
  });
}

/** A task that states only that it is done. */
function isPlainTask(answer: Value): boolean {
  return isValueMap(answer) && answer.status !== undefined;
}
