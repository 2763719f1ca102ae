/** Garbage of one step must not count for the next. Little of it would not be noticed. */
export function collectMuch(): void {
  if (process.memoryUsage().heapUsed > muchBytes) (globalThis as { gc?: () => void }).gc?.();
}

const muchBytes = 32 * 1024 * 1024;
