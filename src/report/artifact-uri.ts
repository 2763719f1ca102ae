import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file as SARIF names it: relative to the working directory, or as an absolute URI. */
export function toArtifactUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  // An unpaired surrogate cannot be encoded in a URI.
  const name = file.replace(/\p{Cs}/gu, '\ufffd');
  return name.split(/[/\\]/).map(encodeURIComponent).join('/');
}
