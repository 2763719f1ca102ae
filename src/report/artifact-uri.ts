import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file as SARIF names it: relative to where the tool was run, or whole. */
export function artifactUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  // An unpaired surrogate has no bytes that a URI could have.
  const name = file.replace(/\p{Cs}/gu, '\ufffd');
  return name.split(/[/\\]/).map(encodeURIComponent).join('/');
}
