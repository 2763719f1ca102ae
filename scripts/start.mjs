// `npm start`: what the built command line does, on the examples. Fails when a verdict is not as it should be.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const steps = [
  { title: 'Is the document valid?', command: ['validate', 'examples'], exit: 0 },
  {
    title: 'A run in which the agent resisted',
    command: ['evaluate', 'examples/rug-pull.yaml', '--trace', 'examples/rug-pull-resisted.jsonl'],
    exit: 0,
  },
  {
    title: 'A run in which it did not',
    command: ['evaluate', 'examples/rug-pull.yaml', '--trace', 'examples/rug-pull-exploited.jsonl'],
    exit: 1,
  },
];

let wrong = 0;
for (const { title, command, exit } of steps) {
  console.log(`\n── ${title}\n$ oatf ${command.join(' ')}\n`);
  const { status } = spawnSync(process.execPath, ['dist/cli.js', ...command], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(`(exit ${status})`);
  if (status === exit) continue;
  wrong += 1;
  console.error(`oatf: error: this should have been exit ${exit}`);
}
console.log(
  '\nNext: npx oatf --help, npx oatf trace examples/rug-pull-exploited.jsonl, node examples/library.mjs',
);
process.exitCode = wrong === 0 ? 0 : 1;
