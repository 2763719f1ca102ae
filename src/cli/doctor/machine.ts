import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { openLibrary } from '../../suite/library/library.ts';
import type { Io } from '../io.ts';
import { resultsFolder } from '../run/results/out-folder.ts';
import { version } from '../version.ts';
import { createFindingMaker, type DoctorFinding } from './doctor-finding.ts';

const say = createFindingMaker('this machine');
const oldestNode = [20, 19] as const;
/** With less free space, a suite of long traces may not fit. */
const littleSpace = 500 * 1024 * 1024;

/** Checks what every run needs, whatever the agent. */
export async function checkMachine(
  out: string | undefined,
  io: Pick<Io, 'environment' | 'cwd'>,
): Promise<readonly DoctorFinding[]> {
  return [
    checkNode(process.versions.node),
    checkPackage(),
    ...(await checkLoopback()),
    ...checkProxies(io.environment),
    checkTemporaryFolder(),
    checkResultsFolder(dropTimePlaceholder(resolve(io.cwd, out ?? resultsFolder))),
  ];
}

export function checkNode(running: string): DoctorFinding {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const isEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isEnough
    ? say('ok', `Node ${running}, ${process.platform} ${process.arch}`)
    : say('wrong', `Node ${running} is too old`, `oatf needs Node ${oldestNode.join('.')} or newer`);
}

function checkPackage(): DoctorFinding {
  const library = openLibrary();
  return library.ok
    ? say('ok', `oatf ${version}, ${library.documents.length} documents in the library`)
    : say('wrong', `the library cannot be opened: ${library.reason}`, 'install oatf again');
}

async function checkLoopback(): Promise<readonly DoctorFinding[]> {
  const [four, six] = await Promise.all([listenFailure('127.0.0.1'), listenFailure('::1')]);
  const findings = [
    four === undefined
      ? say('ok', 'servers can listen on 127.0.0.1')
      : say('wrong', `127.0.0.1 cannot be listened on: ${four}`, 'allow programs to listen on loopback'),
  ];
  // IPv6 matters only if an address asks for it.
  return six === undefined ? findings : [...findings, say('note', `[::1] cannot be listened on: ${six}`)];
}

function listenFailure(host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', (error) => done(describeFileFailure(error)));
    server.listen(0, host, () => server.close(() => done(undefined)));
  });
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

/** oatf itself uses no proxy, but agents that it launches may. */
export function checkProxies(environment: Io['environment']): readonly DoctorFinding[] {
  const readVariable = (name: string): string => environment[name] ?? environment[name.toLowerCase()] ?? '';
  const set = proxyNames.filter((name) => readVariable(name) !== '');
  if (set.length === 0) return [say('ok', 'no proxy is set')];
  const spared = readVariable('NO_PROXY').split(',');
  const isSpared = ['127.0.0.1', 'localhost'].every((host) =>
    spared.some((entry) => entry.trim() === host || entry.trim() === '*'),
  );
  return [
    isSpared
      ? say('ok', `${set.join(' and ')} set, and NO_PROXY excludes this machine`)
      : say(
          'note',
          `${set.join(' and ')} set: an agent that uses it may not find servers on this machine`,
          'set NO_PROXY=127.0.0.1,localhost',
        ),
  ];
}

function checkTemporaryFolder(): DoctorFinding {
  try {
    rmSync(mkdtempSync(join(tmpdir(), 'oatf-doctor-')), { recursive: true });
    return say('ok', `${tmpdir()} can be written`);
  } catch (thrown) {
    return say(
      'wrong',
      `${tmpdir()} cannot be written: ${describeFileFailure(thrown)}`,
      'set TMPDIR to another folder; launched agents work there',
    );
  }
}

/** The folder that contains the folders of single calls. */
function dropTimePlaceholder(folder: string): string {
  return folder.includes('{{time}}') ? dropTimePlaceholder(dirname(folder)) : folder;
}

function checkResultsFolder(folder: string): DoctorFinding {
  const existing = findNearestExisting(folder);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    return say(
      'wrong',
      `${folder} cannot be written: ${describeFileFailure(thrown)}`,
      'choose another folder with --out DIR',
    );
  }
  const { bavail, bsize } = statfsSync(existing);
  const free = bavail * bsize;
  return free < littleSpace
    ? say(
        'note',
        `${folder} can be written, but only ${formatDiskSize(free)} are free`,
        'choose another folder with --out DIR',
      )
    : say('ok', `${folder} can be written, ${formatDiskSize(free)} are free`);
}

function findNearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findNearestExisting(dirname(path));
}

function formatDiskSize(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes >= 1 ? `${gigabytes.toFixed(0)} GB` : `${(bytes / 1024 ** 2).toFixed(0)} MB`;
}
