// Misbehaves in one way, and writes the ids of all processes that it has started to a file.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync } from 'node:fs';

const [, , way, pidFile] = process.argv;
const note = (pid) => appendFileSync(pidFile, `${pid}\n`);
const complaint = 'no good\n'.repeat(10_000);
const forEver = () => setInterval(() => {}, 1_000);
const deaf = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {}); setInterval(() => {}, 1000);`;
const noted = `require('fs').appendFileSync(${JSON.stringify(pidFile)}, process.pid + '\\n');`;

/** Resolves when the program runs and has noted its id. */
function start(script, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', `${script}; process.send?.('up')`], {
      ...options,
      stdio: [...(options.stdio ?? ['ignore', 'ignore', 'ignore']), 'ipc'],
    });
    child.once('message', () => {
      child.disconnect();
      child.unref();
      resolve(child);
    });
  });
}

function write(stream, chunk) {
  while (stream.write(chunk));
  stream.once('drain', () => write(stream, chunk));
}

/** Starts a process whose parent is unknown, because the process in between ends. */
async function startDaemon() {
  const between = `
    const { spawn } = require('child_process');
    const last = spawn(process.execPath, ['-e', ${JSON.stringify(`${noted}${deaf}; process.send('up')`)}],
      { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    last.once('message', () => { last.disconnect(); last.unref(); process.send('up', () => process.exit(0)); });`;
  const child = spawn(process.execPath, ['-e', between], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  await new Promise((resolve) => child.once('exit', resolve));
}

const ways = {
  async 'leaves children behind'() {
    await start(noted + deaf);
    await start(noted + deaf, { stdio: ['ignore', 'inherit', 'inherit'] });
    process.stdout.write('Done.', () => process.exit(0));
  },
  async 'leaves a daemon behind'() {
    await startDaemon();
    process.stdout.write('Done.', () => process.exit(0));
  },
  async 'answers a line and leaves a daemon behind'() {
    await startDaemon();
    process.stdin.once('data', () => process.stdout.write('Done.\n'));
    process.stdin.once('end', () => process.exit(0));
  },
  'ignores signals'() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
    forEver();
    note(process.pid);
  },
  'prints 1 GB'() {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    let left = 1024;
    const go = () => {
      while (left-- > 0) if (!process.stdout.write(chunk)) return process.stdout.once('drain', go);
    };
    go();
  },
  'prints lines for ever': () => write(process.stdout, '{}\n'.repeat(10_000)),
  'complains for ever': () => write(process.stderr, complaint),
  'never ends': forEver,
  'exits at once'() {
    process.stderr.write('first this\nthen out of luck\n');
    process.exitCode = 3;
  },
  'is killed': () => process.kill(process.pid, 'SIGKILL'),
  'closes its output and goes on'() {
    closeSync(1);
    forEver();
  },
  'eats memory'() {
    const eaten = [];
    setInterval(() => eaten.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5);
  },
  'lets a child eat memory'() {
    start(`${noted}${deaf} const eaten = []; setInterval(() => eaten.push(Buffer.alloc(32 << 20, 1)), 5)`, {
      detached: true,
    });
    forEver();
  },
};

if (way === 'complains for ever') process.stderr.write(complaint);
if (way !== 'ignores signals') note(process.pid);
await ways[way]();
