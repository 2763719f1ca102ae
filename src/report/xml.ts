import { escapeInvisible } from '../format/model/escape-invisible.ts';

// XML has no way to write most control characters, unpaired surrogates or the two noncharacters, not even escaped.
const unwritable = /[\ufffe\uffff]/g;

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The content of an element. Hidden characters are spelt out; line breaks stay. */
export function escapeXmlText(text: string): string {
  return escapeXml(escapeInvisible(text, '\n\t'));
}

/** ` name="value"` for each attribute. */
export function formatXmlAttributes(attributes: { readonly [name: string]: string | number | undefined }): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeXml(escapeInvisible(String(value)))}"`))
    .join('');
}

function escapeXml(text: string): string {
  return text
    .replace(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
