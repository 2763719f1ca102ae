import { encode } from '../../format/document/encode-document.ts';
import { serialize } from '../../format/document/write-yaml.ts';
import type { Document } from '../../format/model/attack-document.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { loadDocument } from '../input/load-document.ts';

export const runNormalizeCommand: Command<'normalize'> = async ({ document: operand, format }, io) => {
  const loaded = await loadDocument(operand, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document } = loaded;
  const write = (): string => `${stringifyJson(encode('Document', document as Document), 2)}\n`;
  await io.stdout.write(format === 'json' ? write() : serialize(document), 'exact');
  return ok;
};
