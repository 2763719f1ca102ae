/** A task that is streamed in a hundred pieces. */
export const streamedTask = {
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state: 'completed' },
  artifacts: Array.from({ length: 98 }, (_, index) => ({
    artifactId: `a${index}`,
    parts: [{ kind: 'text', text: 'A line of an artifact.' }],
  })),
};
