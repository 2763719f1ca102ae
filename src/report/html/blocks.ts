import { formatJsonElement } from './encode-part.ts';
import { blockIds, type Directory } from './page-data.ts';

const blockCharacters = 256 * 1024;

/** Packs parts into elements as they come, and keeps a directory of their positions for the end of the page. */
export function createBlocks(write: (text: string) => void) {
  const directory: Record<string, Directory[string]> = {};
  let [block, length] = [0, 0];

  function close(): void {
    if (length > 0) write('</script>\n');
    block += 1;
    length = 0;
  }

  return {
    add(id: string, text: string): void {
      if (length === 0) write(`<script type="application/json" id="${blockIds.block(block)}">`);
      directory[id] = [block, length, length + text.length];
      write(text);
      length += text.length;
      if (length >= blockCharacters) close();
    },
    finish(): void {
      close();
      write(formatJsonElement(blockIds.directory, directory));
    },
  };
}
