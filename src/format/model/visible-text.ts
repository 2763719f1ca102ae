// A text as a reader sees it.

const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
export const isAscii = /^\p{ASCII}*$/u;

/** Unifies compatible characters (NFKC), and removes invisible ones. */
export function makeVisible(text: string): string {
  return isAscii.test(text) ? text : text.replace(invisible, '').normalize('NFKC').replace(invisible, '');
}

const tag = /<\/?[a-z][^<>]{0,200}>/gi;

/** Removes tags such as `<b>`, and keeps what stands between them. */
export function removeTags(text: string): string {
  return text.includes('<') ? text.replace(tag, '') : text;
}
