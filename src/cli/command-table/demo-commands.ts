import type { CommandRow } from '../command-row.ts';
import { outFlag, quietFlag, resultsJsonFlag, showSecretsFlag, usageExit } from './shared-flags.ts';

export const demoCommands = {
  demo: {
    group: 'Attack agents',
    summary: 'attack the built-in agents with the library and its benign twins; no set-up',
    flags: [outFlag, resultsJsonFlag, quietFlag, showSecretsFlag],
    notes: ['Everything happens on this machine. Results are stored, as oatf run does it.'],
    examples: [['oatf demo', 'see what attacks look like']],
    exits: [
      [0, 'every attack succeeds with gullible and fails with guarded'],
      [1, 'at least one attack does not'],
      usageExit,
      [69, 'the library, a port or a folder that is not available'],
      [130, 'interrupted; finished runs are on disk'],
      [143, 'ended by SIGTERM or SIGHUP'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
