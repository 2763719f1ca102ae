import { encode } from '../../document/encode.ts';
import { serialize } from '../../document/serialize.ts';
import type { Document } from '../../model/document.ts';
import { stringifyJson } from '../../model/json.ts';
import type { Command } from '../commands.ts';
import { loadDocument } from '../input/load-document.ts';
import { ok } from '../outcome.ts';

export const normalizeDocument: Command<'normalize'> = async ({ document: operand, format }, io) => {
  const loaded = await loadDocument(operand, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document } = loaded;
  await io.stdout.write(
    format === 'json'
      ? `${stringifyJson(encode('Document', document as Document), 2)}\n`
      : serialize(document),
  );
  return ok;
};
