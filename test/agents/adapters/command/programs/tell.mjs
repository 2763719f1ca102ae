// Prints everything that it was given.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';

const [, , ...args] = process.argv;

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`;
      return [relative(folder, path), readFileSync(path, 'utf8')];
    });
}

/** An argument that begins with @ names a file. */
const read = (text) => (text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);

process.stdout.write(
  JSON.stringify({
    args: args.map(read),
    stdin: readFileSync(0, 'utf8'),
    cwd: process.cwd(),
    folderMode: (statSync('..').mode & 0o777).toString(8),
    files: Object.fromEntries(filesBelow('.')),
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(OATF_|OWN|AMBIENT)/.test(name))),
    mcpConfig: JSON.parse(readFileSync(process.env.OATF_MCP_CONFIG, 'utf8')),
  }),
);
