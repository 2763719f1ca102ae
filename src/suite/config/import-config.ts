import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The default export of a module, or the reason why there is none. */
export type ImportedConfig =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** How long a configuration may take to load. */
const patienceMs = 30_000;

const ours = 'oatf/config';

export async function importConfig(path: string, withinMs = patienceMs): Promise<ImportedConfig> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ImportedConfig>((resolve) => {
    const message = `it had not loaded after ${withinMs / 1_000} s`;
    timer = setTimeout(
      () => resolve({ ok: false, message, hint: 'something that it awaits never resolves' }),
      withinMs,
    );
  });
  try {
    return await Promise.race([loadDefaultExport(path), late]);
  } catch (thrown) {
    return { ok: false, ...describeImportFailure(thrown, path) };
  } finally {
    clearTimeout(timer);
  }
}

async function loadDefaultExport(path: string): Promise<ImportedConfig> {
  const module = await load(path);
  if (!('default' in module))
    return {
      ok: false,
      message: 'it has no default export',
      hint: 'export default defineConfig({ … })',
    };
  const value = await module.default;
  return typeof value === 'function'
    ? { ok: false, message: 'it exports a function', hint: 'export the result of the function' }
    : { ok: true, value };
}

type Module = { readonly [name: string]: unknown };

function load(path: string): Promise<Module> {
  const url = pathToFileURL(path).href;
  return /\.m?ts$/.test(path) ? loadTypeScript(path, url) : import(url);
}

/** Newer versions of Node strip types themselves. If this one cannot, or does not find our package, jiti does it. */
async function loadTypeScript(path: string, url: string): Promise<Module> {
  const { typescript } = process.features as { readonly typescript?: string | false };
  if (!typescript) return loadByJiti(path);
  try {
    return await import(url);
  } catch (thrown) {
    const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
    if (code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' && !lacksOatf(thrown)) throw thrown;
    return loadByJiti(path);
  }
}

async function loadByJiti(path: string): Promise<Module> {
  const { createJiti } = await import('jiti');
  // No cache on disk: other users could write to it.
  const place = findOwnModule();
  const alias = place === undefined ? {} : { [ours]: place };
  const jiti = createJiti(path, { fsCache: false, interopDefault: false, alias });
  return jiti.import<Module>(path);
}

/** The path of `oatf/config`, for projects that do not have oatf installed: it is next to this file, built or not. */
function findOwnModule(): string | undefined {
  return ['config.js', 'config.ts']
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((path) => existsSync(path));
}

/** Whether the import failed because the project does not have oatf installed. */
function lacksOatf(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, message } = thrown as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && /'oatf(?:\/[^']*)?'/.test(message);
}

function describeImportFailure(thrown: unknown, path: string): { readonly message: string; readonly hint?: string } {
  const error = thrown instanceof Error ? thrown : new Error(toThrownText(thrown));
  const message = error.message.split('\n', 1)[0]?.trim() || error.name;
  if (lacksOatf(thrown))
    return {
      message: `it imports oatf, which is not installed in its project`,
      hint: 'install oatf in the project; or leave the import out: a plain object does as well as defineConfig',
    };
  if (error instanceof SyntaxError && /Unexpected token '(?:export|import)'|import statement/.test(message))
    return {
      message: 'it is written as a module, and its package.json says that files are CommonJS',
      hint: `name it ${basename(path).replace(/\.([jt]s)$/, '.m$1')}`,
    };
  const line = findStackLine(error.stack ?? '', path);
  return { message: `it cannot be loaded: ${message}${line === undefined ? '' : ` (line ${line})`}` };
}

/** Turns any thrown value into text; even `String` may throw. */
function toThrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'it throws a value that cannot be shown as text';
  }
}

/** The line of the configuration in a stack trace. */
function findStackLine(stack: string, path: string): string | undefined {
  for (const place of [path, pathToFileURL(path).href]) {
    const at = stack.indexOf(`${place}:`);
    if (at !== -1) return /^\d+/.exec(stack.slice(at + place.length + 1))?.[0];
  }
  return undefined;
}
