const reasons: { readonly [code: string]: string } = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'is a folder',
  EEXIST: 'exists already, and is not a folder',
  ENOTDIR: 'a part of this path is not a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files (ulimit -n says how many there may be)',
  EFBIG: 'the file is too large',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
  ELINKED: 'this is a link, and links in a folder of results are not followed',
  ENOTREGULAR: 'this is a pipe, a socket or a device, not a file; standard input is read as -',
};

/** The reason why a file could not be used, in words. Any other error is a bug and is thrown again. */
export function describeFileFailure(thrown: unknown): string {
  // Checked by `code`, not `instanceof`: some test frameworks have an Error class of their own.
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (typeof code !== 'string' || !/^E[A-Z]/.test(code)) throw thrown;
  return reasons[code] ?? code;
}
