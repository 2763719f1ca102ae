import type { Place } from '../play/run-settings.ts';

/** Plays while a page shows how it goes, where that is wanted. What is left to see afterwards is in the folder. */
export async function watchable<T>(
  { ui, showSecrets }: { readonly ui: boolean; readonly showSecrets: boolean },
  { path, notices }: Place,
  play: () => Promise<T>,
): Promise<T> {
  if (!ui) return play();
  const { serveReport } = await import('../../../report/html/live.ts');
  const live = await serveReport(path, { showSecrets });
  await notices.write(`oatf: the report, while it grows: ${live.url}\n`);
  try {
    return await play();
  } finally {
    await live.close();
  }
}
