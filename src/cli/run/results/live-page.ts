import { once } from 'node:events';
import type { LiveReport } from '../../../report/html/live-report.ts';
import type { Sink } from '../../io.ts';

export interface LivePage {
  /** Serves the report of a folder, if a page is wanted. */
  open(folder: string): Promise<void>;
  /** Keeps the page, if there is one, until the signal is aborted. */
  stay(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The page of `--ui`: it shows the report while the suite runs, and stays when the runs are over. */
export function createLivePage(
  { ui = false, showSecrets = false }: { readonly ui?: boolean; readonly showSecrets?: boolean },
  notices: Sink,
): LivePage {
  let live: LiveReport | undefined;
  return {
    async open(folder) {
      if (!ui) return;
      const { serveReport } = await import('../../../report/html/live-report.ts');
      live = await serveReport(folder, { showSecrets });
      await notices.write(`oatf: live report: ${live.url}\n`);
    },
    async stay(signal) {
      if (live === undefined || signal.aborted) return;
      await notices.write(`oatf: the report stays at ${live.url} until Ctrl-C\n`);
      await once(signal, 'abort');
    },
    close: async () => live?.close(),
  };
}
