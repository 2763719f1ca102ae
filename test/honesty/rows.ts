import { againSince2026, type Row } from './row.ts';
import { ofA2aClient1, ofA2aServer1 } from './rows/a2a-1.ts';
import { ofA2aClient } from './rows/a2a-client.ts';
import { ofA2aServer } from './rows/a2a-server.ts';
import { ofUser, withServer } from './rows/ag-ui.ts';
import { ofKinds, withTools } from './rows/kinds.ts';
import { ofClient } from './rows/mcp-client.ts';
import { ends, verdicts } from './rows/mcp-ends.ts';
import { inForms } from './rows/mcp-forms.ts';
import { ofQuestions } from './rows/mcp-questions.ts';
import { overHttp } from './rows/mcp-server.ts';
import { overLines } from './rows/mcp-stdio.ts';
import { ofTasks } from './rows/mcp-tasks.ts';
import { onlyOverHttp, onlySince2026, serversSince2026, since2026 } from './rows/since-2026.ts';

const ofServers = [...overHttp, ...ofQuestions, ...inForms, ...ends, ...verdicts];

/** All rows. */
export const rows: readonly Row[] = [
  ...ofServers,
  ...againSince2026(ofServers, since2026),
  ...onlySince2026,
  ...onlyOverHttp,
  ...ofTasks,
  ...overLines,
  ...againSince2026(overLines, new Map()),
  ...againSince2026([...ofServers, ...onlySince2026, ...ofTasks], since2026, 'lines'),
  ...withServer,
  ...withTools,
  ...ofClient,
  ...againSince2026(ofClient, new Map()),
  ...serversSince2026,
  ...ofA2aServer,
  ...ofA2aServer1,
  ...ofA2aClient,
  ...ofA2aClient1,
  ...ofUser,
  ...ofKinds,
];
