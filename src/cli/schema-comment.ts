import { relative, resolve } from 'node:path';

// The comment with which editors that use yaml-language-server find the JSON Schema of a file.

const comment = /^#\s*yaml-language-server:\s*\$schema=.*\n?/m;

/** The text with the comment at its beginning, or in place of an existing one. */
export function addSchemaComment(text: string, address: string): string {
  const line = formatSchemaComment(address);
  if (comment.test(text)) return text.replace(comment, () => line);
  // A byte order mark stays at the beginning.
  return text.startsWith('\uFEFF') ? `\uFEFF${line}${text.slice(1)}` : `${line}${text}`;
}

export function formatSchemaComment(address: string): string {
  return `# yaml-language-server: $schema=${address}\n`;
}

/** A URL stays as it is. A path is relative to the working directory, and becomes relative to the document. */
export function resolveSchemaAddress(location: string, folder: string, cwd: string): string {
  if (/^[a-z][a-z+.-]+:/i.test(location)) return location;
  return relative(folder, resolve(cwd, location)).replaceAll('\\', '/');
}
