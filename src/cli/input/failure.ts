const reasons: { readonly [code: string]: string } = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'is a folder',
  EEXIST: 'is there already, and is no folder',
  ENOTDIR: 'a part of this path is not a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
};

/** What the system said when a file could not be used, in words. Anything else is a bug and flies on. */
export function failureOf(thrown: unknown): string {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || !/^E[A-Z]/.test(code)) throw thrown;
  return reasons[code] ?? code;
}
