/** Where more is said of a field: the specification, or for what OATF does not define our own pages. */
const pages = {
  format: ['the format', 'https://oatf.io'],
  extension: ['extensions', 'https://github.com/oatf/oatf/blob/main/docs/extensions.md'],
} as const;

/** What a field means, and where more is said of it; editors show the second form as a link to follow. */
export function described(text: string, page: keyof typeof pages) {
  const [title, address] = pages[page];
  return { description: `${text} ${address}`, markdownDescription: `${text}\n\n[${title}](${address})` };
}
