import { visible } from './visible.ts';

// XML has no way to write most control characters, unpaired surrogates or the two noncharacters, not even escaped.
const unwritable = /[\ufffe\uffff]/g;

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The content of an element. Hidden characters are spelt out; line breaks stay. */
export function xmlText(text: string): string {
  return escaped(visible(text, '\n\t'));
}

/** ` name="value"` for each attribute. */
export function xmlAttributes(attributes: { readonly [name: string]: string | number | undefined }): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(visible(String(value)))}"`))
    .join('');
}

function escaped(text: string): string {
  return text
    .replace(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
