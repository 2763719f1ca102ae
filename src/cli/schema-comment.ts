import { relative, resolve } from 'node:path';

// The comment by which editors with yaml-language-server find the JSON Schema of a file.

const comment = /^#\s*yaml-language-server:\s*\$schema=.*\n?/m;

/** The same text that begins with the comment, in place of one that it has. */
export function withSchemaComment(text: string, address: string): string {
  const line = schemaComment(address);
  if (comment.test(text)) return text.replace(comment, () => line);
  // A byte order mark stays the first thing.
  return text.startsWith('\uFEFF') ? `\uFEFF${line}${text.slice(1)}` : `${line}${text}`;
}

export function schemaComment(address: string): string {
  return `# yaml-language-server: $schema=${address}\n`;
}

/** A URL stays one; a file is meant from where the command runs, and is named from where the document is. */
export function schemaAddress(location: string, folder: string, cwd: string): string {
  if (/^[a-z][a-z+.-]+:/i.test(location)) return location;
  return relative(folder, resolve(cwd, location)).replaceAll('\\', '/');
}
