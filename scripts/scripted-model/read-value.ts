import { isValueMap, type Value, type ValueMap } from '../../src/format/model/value.ts';

// Readers for values that a request may leave out or write in several forms.

export function stringOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

export function mapOf(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}

/** A text, or the texts of its parts. */
export function textIn(content: Value | undefined): string {
  if (typeof content === 'string') return content;
  return textsOf(listOf(content)).join('\n');
}

/** The text of a tool's result. Some frameworks pass the result on as JSON, so the text in it is read. */
export function resultText(content: Value | undefined): string {
  const text = typeof content === 'string' ? content : textIn(content) || JSON.stringify(content ?? '');
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    return text;
  }
  const texts = textsOf([value, ...listOf(value), ...listOf(mapOf(value).content)]);
  return texts.length > 0 ? texts.join('\n') : text;
}

function textsOf(parts: readonly Value[]): readonly string[] {
  return parts.flatMap((part) => (isValueMap(part) && typeof part.text === 'string' ? [part.text] : []));
}
