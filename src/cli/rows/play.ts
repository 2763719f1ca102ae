import type { CommandRow } from '../table.ts';
import { out, resultsJson, showSecrets, usage, verdictsOnly } from './shared.ts';

export const playRows = {
  demo: {
    group: 'Attack agents',
    summary: 'the library and its benign twins on the built-in agents; no set-up',
    flags: [out, resultsJson, verdictsOnly, showSecrets],
    notes: [
      'Everything happens on this machine. What was sent and what came of it is stored, as run does it.',
    ],
    examples: [['oatf demo', 'see what attacks look like']],
    exits: [
      [0, 'every attack succeeds with gullible and fails with guarded'],
      [1, 'at least one does not'],
      usage,
      [69, 'the library, a port or a folder that is not available'],
      [130, 'interrupted; what was finished is on disk'],
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
