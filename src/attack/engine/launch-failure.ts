/** Resources that this machine may lack. An agent that is not launched for lack of them is not at fault. */
const lacks: { readonly [code: string]: string } = {
  EMFILE: 'this process has no more open files: play fewer runs at once (-j), or raise the limit (ulimit -n)',
  ENFILE: 'this machine has no more open files',
  ENOMEM: 'this machine has no more memory',
};

export function findLack(thrown: unknown): string | undefined {
  const { code } = Object(thrown) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(lacks, code) ? lacks[code] : undefined;
}

export function readThrownMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
