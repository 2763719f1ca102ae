import { answerA2aClient, askA2aServer, transports } from './peers/a2a.ts';
import { answerLangGraph, answerPydanticAi, leaveLangGraph, talkTo } from './peers/ag-ui.ts';
import { type Python, pythonWith } from './peers/python.ts';

// Plays our actors against peers that are no dependencies of ours. They are installed into temporary folders, so this
// is no part of the tests. `npm run peers -- WORD` plays those whose name has the word.

interface Peer {
  readonly name: string;
  readonly requirements: readonly string[];
  readonly checks: { readonly [name: string]: (python: Python) => Promise<void> };
}

const peers: readonly Peer[] = [
  {
    name: 'Python a2a-sdk 0.3.26',
    requirements: ['a2a-sdk[http-server,grpc]==0.3.26', 'uvicorn'],
    checks: a2aChecks('a2a_0_3.py'),
  },
  ...['0.1.8', '0.1.15', '1.0.0'].map((version) => ({
    name: `Python ag-ui-protocol ${version}`,
    requirements: [`ag-ui-protocol==${version}`, 'starlette', 'uvicorn'],
    checks: { 'says something': talkTo },
  })),
  {
    name: 'pydantic-ai',
    requirements: ['pydantic-ai-slim[ag-ui]', 'uvicorn'],
    checks: { 'calls a frontend tool': answerPydanticAi },
  },
  {
    name: 'ag-ui-langgraph 0.0.47',
    requirements: ['ag-ui-langgraph[fastapi]==0.0.47', 'uvicorn'],
    checks: Object.fromEntries(
      ['langgraph', 'langgraph-outcome'].flatMap((kind) => [
        [`${kind} asks, and nobody answers`, (python: Python) => leaveLangGraph(python, kind)],
        [`${kind} asks, and is answered`, (python: Python) => answerLangGraph(python, kind)],
      ]),
    ),
  },
];

function a2aChecks(program: string): Peer['checks'] {
  return Object.fromEntries(
    transports.flatMap((transport) => [
      [`server over ${transport}`, (python: Python) => askA2aServer(python, program, transport)],
      [`client over ${transport}`, (python: Python) => answerA2aClient(python, program, transport)],
    ]),
  );
}

const [word = ''] = process.argv.slice(2);
let failed = 0;
let passed = 0;
for (const { name, requirements, checks } of peers) {
  if (!name.includes(word)) continue;
  const python = pythonWith(requirements);
  try {
    for (const [check, run] of Object.entries(checks)) {
      const problem = await run(python).then(
        () => undefined,
        (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
      );
      process.stdout.write(
        `${problem === undefined ? 'ok  ' : 'FAIL'} ${name}, ${check}${problem ? `: ${problem}` : ''}\n`,
      );
      if (problem === undefined) passed += 1;
      else failed += 1;
    }
  } finally {
    python.remove();
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
