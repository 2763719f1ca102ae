// A hostile MCP server over its standard streams: `stdio-peer.ts FRAMES SEED ERA`. It answers `tools/list` with this
// many broken frames, then properly.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Era, eras, mcpFromServer } from './frames.ts';
import { honestAnswer } from './honest-answer.ts';
import { mutatedLine } from './mutate.ts';
import { randomFrom } from './random.ts';

const [frames = '0', seed = '0', said] = process.argv.slice(2);
const era: Era = eras.find((each) => each === said) ?? 'legacy';
const random = randomFrom(Number(seed));
process.stdout.on('error', () => process.exit(0));

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.method === 'tools/list')
    for (let left = Number(frames); left > 0; left--) await write(mutatedLine(random.pick(mcpFromServer[era]), random));
  const answer = honestAnswer(asked, era);
  if (answer !== undefined) await write(Buffer.from(JSON.stringify(answer)));
}

async function write(line: Buffer): Promise<void> {
  if (!process.stdout.write(Buffer.concat([line, Buffer.from('\n')]))) await once(process.stdout, 'drain');
}
