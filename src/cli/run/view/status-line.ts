import { cropEnd } from '../../../report/text-width.ts';
import type { Sink } from '../../io.ts';

/** A last line that shows the progress. It exists only on a terminal. */
export interface StatusLine {
  show(done: number, of: number, what: string): Promise<void>;
  clear(): Promise<void>;
}

const barWidth = 20;
const clearLine = '\r\u001b[2K';

export function createStatusLine(sink: Sink): StatusLine {
  if (!sink.isTTY) return { show: async () => {}, clear: async () => {} };
  const { colours, columns } = sink;
  let isShown = false;
  return {
    async show(done, of, what) {
      const filled = Math.round((barWidth * done) / Math.max(of, 1));
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const text = cropEnd(`${done}/${of}  ${what}`, columns - barWidth - 3);
      await sink.write(`${clearLine}${colours.cyan(bar)}  ${text}`);
      isShown = true;
    },
    async clear() {
      if (isShown) await sink.write(clearLine);
      isShown = false;
    },
  };
}
