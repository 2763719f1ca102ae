import type { CommandPeer } from '../mcp-client/mcp-client-options.ts';

/** The variables that a program needs to run: the names that the official clients pass on. */
const passedOn = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR'],
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
];

export function createEnvironment({
  env,
  environment = 'clean',
}: Pick<CommandPeer, 'env' | 'environment'>): NodeJS.ProcessEnv {
  if (environment === 'inherited') return { ...process.env, ...env };
  const kept = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...env };
}
