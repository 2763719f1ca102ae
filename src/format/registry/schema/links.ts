/** The page that explains a field further: the specification, or our own page for an extension. */
const pages = {
  format: ['the format', 'https://oatf.io'],
  extension: ['extensions', 'https://github.com/oatf/oatf/blob/main/docs/extensions/README.md'],
} as const;

/** Describes a field and links to its page. Editors show `markdownDescription` with a link to follow. */
export function describeWithLink(text: string, page: keyof typeof pages) {
  const [title, address] = pages[page];
  return { description: `${text} ${address}`, markdownDescription: `${text}\n\n[${title}](${address})` };
}
