const failures: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

/** The reason why an address cannot be listened on, for a message that names it. Nothing for any other error. */
export function describeListenFailure(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && Object.hasOwn(failures, code) ? failures[code] : undefined;
}
