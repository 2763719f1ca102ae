import { a2aChecks } from './peers/a2a.ts';
import { encoderChecks, langGraphChecks, protocolChecks, pydanticAiChecks } from './peers/ag-ui.ts';
import { NotHad } from './peers/environment.ts';
import { mcpBridgedQuestionChecks, mcpClientChecks, mcpQuestionChecks, mcpServerChecks } from './peers/mcp.ts';
import type { Peer } from './peers/peer.ts';
import { nodeWith, type Programs, pythonWith } from './peers/programs.ts';
import { recordingChecks } from './peers/recorded.ts';

// Plays our actors against software that is not among our dependencies. It is installed into a temporary folder, which
// later runs reuse, so this is not part of `npm test`. `npm run peers -- WORD` plays the peers and checks whose name
// contains the word.

const modern = '2026-07-28';

const peers: readonly Peer[] = [
  {
    name: 'Python a2a-sdk 0.3.26',
    install: pythonWith('a2a-sdk[http-server,grpc]==0.3.26', 'uvicorn==0.54.0'),
    checks: a2aChecks({ program: 'a2a_0_3.py', era: '0.3' }),
  },
  {
    name: 'Python a2a-sdk 1.3.0',
    install: pythonWith('a2a-sdk[http-server,grpc]==1.3.0', 'uvicorn==0.54.0'),
    checks: {
      ...a2aChecks({ program: 'a2a_1_0.py', era: '1.0' }),
      ...a2aChecks({ program: 'a2a_1_0.py', era: '0.3', isLayer: true }),
    },
  },
  {
    name: 'Python mcp 2.3.0',
    install: pythonWith('mcp==2.3.0', 'uvicorn==0.54.0'),
    checks: {
      ...mcpClientChecks('mcp', ['auto', modern, 'legacy']),
      ...mcpQuestionChecks('mcp', [modern, 'legacy']),
      ...mcpBridgedQuestionChecks('mcp', [modern, 'legacy']),
      ...mcpServerChecks('mcp'),
      ...recordingChecks('mcp'),
    },
  },
  {
    name: 'Python fastmcp 4.1.2',
    install: pythonWith('fastmcp==4.1.2', 'mcp==2.3.0', 'uvicorn==0.54.0'),
    checks: {
      ...mcpClientChecks('fastmcp', ['auto', 'legacy']),
      ...mcpQuestionChecks('fastmcp', [modern, 'legacy']),
      ...mcpBridgedQuestionChecks('fastmcp', [modern, 'legacy']),
      ...mcpServerChecks('fastmcp'),
      ...recordingChecks('fastmcp'),
    },
  },
  {
    name: 'Python openai-agents 0.24.0',
    install: pythonWith('openai-agents==0.24.0', 'mcp==2.3.0'),
    checks: mcpClientChecks('openai-agents', ['auto']),
  },
  {
    name: 'Python pydantic-ai 2.66.0',
    install: pythonWith(
      'pydantic-ai-slim[ag-ui,mcp]==2.66.0',
      'mcp==2.3.0',
      'ag-ui-protocol==1.0.0',
      'uvicorn==0.54.0',
    ),
    checks: { ...mcpClientChecks('pydantic-ai', ['auto']), ...pydanticAiChecks },
  },
  ...['0.1.8', '0.1.15', '1.0.0'].map((version) => ({
    name: `Python ag-ui-protocol ${version}`,
    install: pythonWith(`ag-ui-protocol==${version}`, 'starlette==1.10.0', 'uvicorn==0.54.0'),
    checks: protocolChecks,
  })),
  {
    name: 'Python ag-ui-langgraph 0.0.47',
    install: pythonWith('ag-ui-langgraph[fastapi]==0.0.47', 'uvicorn==0.54.0'),
    checks: langGraphChecks,
  },
  ...['0.0.45', '1.0.0'].map((version) => ({
    name: `@ag-ui/encoder ${version}`,
    install: nodeWith(`@ag-ui/core@${version}`, `@ag-ui/encoder@${version}`, 'zod@3.25.76'),
    checks: encoderChecks,
  })),
];

const [word = ''] = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };

function tell(how: keyof typeof counts, what: string, why?: string): void {
  counts[how] += 1;
  process.stdout.write(`${how} ${what}${why === undefined ? '' : `: ${why}`}\n`);
}

function installOrTell({ name, install }: Peer): Programs | undefined {
  try {
    return install();
  } catch (thrown) {
    if (!(thrown instanceof NotHad)) throw thrown;
    tell('skipped', name, thrown.message);
    return undefined;
  }
}

for (const peer of peers) {
  const checks = Object.entries(peer.checks).filter(([check]) => `${peer.name}, ${check}`.includes(word));
  const programs = checks.length === 0 ? undefined : installOrTell(peer);
  if (programs === undefined) continue;
  for (const [check, run] of checks)
    await run(programs).then(
      () => tell('passed', `${peer.name}, ${check}`),
      (thrown: unknown) =>
        tell('failed', `${peer.name}, ${check}`, thrown instanceof Error ? thrown.message : String(thrown)),
    );
}

const { passed, failed, skipped } = counts;
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
// A peer that could not be installed proves nothing.
process.exitCode = failed === 0 && skipped === 0 && passed > 0 ? 0 : 1;
