// `lock-peer.ts FOLDER ROUNDS DEAD_PID`: takes the folder's lock this many times, and checks each time that no other
// process holds it. Every other time, it leaves the lock of a dead process. Prints how often it was not alone.
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../../src/suite/store/folder-lock.ts';

const [folder = '', rounds = '0', dead = '0'] = process.argv.slice(2);
const inside = join(folder, 'inside');
let together = 0;
for (let round = 0; round < Number(rounds); ) {
  const lock = lockFolder(folder);
  if (!lock.ok) continue;
  round += 1;
  try {
    closeSync(openSync(inside, 'wx'));
    rmSync(inside);
  } catch {
    together += 1;
  }
  if (round % 2 === 0) lock.release();
  else {
    const draft = join(folder, `draft-${process.pid}`);
    writeFileSync(draft, JSON.stringify({ pid: Number(dead), host: hostname(), nonce: `${process.pid}-${round}` }));
    renameSync(draft, join(folder, 'lock.json'));
  }
}
process.stdout.write(String(together));
