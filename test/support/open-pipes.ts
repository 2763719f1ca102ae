import { PassThrough } from 'node:stream';

/** The two ends of a pair of pipes. */
export function openPipes(): { readonly toServer: PassThrough; readonly fromServer: PassThrough } {
  return { toServer: new PassThrough(), fromServer: new PassThrough() };
}
