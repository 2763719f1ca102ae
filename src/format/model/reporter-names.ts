/** The names of the built-in reports. `html` is a page. */
export const reporterNames = ['text', 'json', 'jsonl', 'junit', 'sarif', 'markdown', 'github', 'html'] as const;

export type ReporterName = Exclude<(typeof reporterNames)[number], 'html'>;
