const failures: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is no address of this machine',
};

/** Why an address cannot be listened on, to be said behind it; nothing for what is no such failure. */
export function listenFailureOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && Object.hasOwn(failures, code) ? failures[code] : undefined;
}
