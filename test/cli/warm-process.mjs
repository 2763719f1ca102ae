import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';

// Calls the built command line many times in one process, so that Node and V8 start only once. Each call has its own arguments,
// environment, folder and streams. A call ends when nothing of it would keep a process alive: when only our input is left, which is
// not counted meanwhile.

const [cli] = process.argv.slice(2);
const own = { stdin: process.stdin, listeners: listenersNow() };
const requests = createInterface({ input: own.stdin });
let calls = 0;

for await (const line of requests) {
  await perform(JSON.parse(line));
}

async function perform({ args, folder, environment, input = '' }) {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = undefined;
  give('stdin', Readable.from(input === '' ? [] : [Buffer.from(input, 'base64')]));
  give('stdout', sink('stdout'));
  give('stderr', sink('stderr'));
  calls += 1;
  const ended = new Promise((resolve) => process.once('beforeExit', resolve));
  own.stdin.unref();
  await import(`${cli}?call=${calls}`);
  await ended;
  own.stdin.ref();
  forget();
  tell({ exit: process.exitCode ?? 0 });
}

function give(name, stream) {
  Object.defineProperty(process, name, { value: stream, configurable: true, writable: true });
}

function sink(name) {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      tell({ name, text: typeof chunk === 'string' ? chunk : chunk.toString('utf8') });
      done();
    },
  });
}

/** Writes synchronously, so that nothing is lost when the process ends. */
function tell(message) {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

function listenersNow() {
  return new Map(process.eventNames().map((name) => [name, new Set(process.listeners(name))]));
}

function forget() {
  for (const name of process.eventNames())
    for (const listener of process.listeners(name))
      if (!own.listeners.get(name)?.has(listener)) process.off(name, listener);
}
