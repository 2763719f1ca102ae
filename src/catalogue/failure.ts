const reasons: { readonly [code: string]: string } = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'is a folder',
  EEXIST: 'is there already, and is no folder',
  ENOTDIR: 'a part of this path is not a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files (ulimit -n says how many there may be)',
  EFBIG: 'the file is too large',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
  ENOTREGULAR: 'this is a pipe, a socket or a device, and no file; standard input is read as -',
};

/** What the system said when a file could not be used, in words. Anything else is a bug and flies on. */
export function failureOf(thrown: unknown): string {
  // Some test frameworks have an Error of their own, which the system's errors are none of.
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (typeof code !== 'string' || !/^E[A-Z]/.test(code)) throw thrown;
  return reasons[code] ?? code;
}
