import type { BindingViews, TokenCount } from '../../format/model/binding-views.ts';
import { isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';

/** Adds up the tokens that an agent reports in its messages; the total is undefined if it reports none. */
export function countTokens(views: readonly BindingViews[]): {
  add(record: TraceRecord): void;
  total(): TokenCount | undefined;
} {
  const counting = views.filter(({ usage }) => usage !== undefined);
  let total: TokenCount | undefined;
  return {
    add(record) {
      if (!isMessageRecord(record)) return;
      for (const { protocol, usage } of counting) {
        const count = protocol === record.protocol ? usage?.(record) : undefined;
        if (count === undefined) continue;
        total = {
          inputTokens: (total?.inputTokens ?? 0) + count.inputTokens,
          outputTokens: (total?.outputTokens ?? 0) + count.outputTokens,
        };
      }
    },
    total: () => total,
  };
}
