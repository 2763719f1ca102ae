const zeroWidth = /[\p{Mn}\p{Me}]/u;
const doubleWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Every character before these takes one column. */
const others = /[\u0300-\uffff]/;

function measureCharacter(character: string): number {
  if (character < '\u0300') return 1;
  return zeroWidth.test(character) ? 0 : doubleWidth.test(character) ? 2 : 1;
}

/** The number of terminal columns that a text takes. */
export function measureWidth(text: string): number {
  if (!others.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += measureCharacter(character);
  return width;
}

/** The beginning of a text, with an ellipsis if it was cut. */
export function cropEnd(text: string, columns: number): string {
  if (text.length <= columns && measureWidth(text) <= columns) return text;
  return `${takeColumns(text, columns - 1)}…`;
}

/** The end of a text, with an ellipsis if it was cut. */
export function cropStart(text: string, columns: number): string {
  if (text.length <= columns && measureWidth(text) <= columns) return text;
  const nearEnd = [...text.slice(-2 * columns)].reverse();
  return `…${[...takeColumns(nearEnd.join(''), columns - 1)].reverse().join('')}`;
}

function takeColumns(text: string, columns: number): string {
  let width = 0;
  let taken = '';
  for (const character of text) {
    width += measureCharacter(character);
    if (width > columns) break;
    taken += character;
  }
  return taken;
}

/** Pads to a number of columns; a longer text stays as it is. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - measureWidth(text)));
}

/** Wraps prose between words. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && measureWidth(line) + 1 + measureWidth(word) > columns - indent.length) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((each) => indent + each).join('\n');
}
