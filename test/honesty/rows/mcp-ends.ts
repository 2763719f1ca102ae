import { calls, inDescription, inResult, secret } from '../documents.ts';
import { deserter, noPort, visitor } from '../peers/agents.ts';
import { type Attack, rowsOf } from '../row.ts';

// How runs end if no user speaks to the agent.

const unreadAnswer = 'the client had closed its end before it read our answer';

export const ends = rowsOf('mcp_server', [
  [
    'calls the tool, and goes without ending its session',
    inResult,
    deserter(async (mcp) => {
      await mcp.list('tools');
      await mcp.call('search');
    }),
    'resisted',
  ],
  [
    'never lets go of its stream',
    inResult,
    deserter(async (mcp, stage) => {
      await mcp.list('tools');
      await mcp.call('search');
      stage.afterwards(await mcp.listen());
    }),
    'inconclusive, cut_off',
    'reached its time limit',
  ],
  [
    'disconnects in the middle of a call',
    inResult,
    deserter(async (mcp) => {
      await mcp.list('tools');
      await mcp.call('search');
      await mcp.breakOff('search', { q: secret });
    }),
    'inconclusive, cut_off',
  ],
  [
    'calls the tool, and closes its connection before the answer can have come',
    inResult,
    deserter(async (mcp) => {
      await mcp.list('tools');
      (await mcp.callUnread('search')).destroy();
    }),
    'inconclusive, cut_off',
    unreadAnswer,
  ],
  [
    'calls the tool, and resets its connection before the answer can have come',
    inResult,
    deserter(async (mcp) => {
      await mcp.list('tools');
      (await mcp.callUnread('search')).resetAndDestroy();
    }),
    'inconclusive, cut_off',
    unreadAnswer,
  ],
  [
    'calls the tool, and closes its connection without having read the answer',
    inResult,
    deserter(async (mcp) => {
      const socket = await mcp.callUnread('search');
      await mcp.list('tools');
      socket.destroy();
    }),
    'inconclusive, cut_off',
    unreadAnswer,
  ],
  [
    'calls the tool as the last of its connection, and closes that without having read the answer',
    inResult,
    deserter(async (mcp) => {
      const socket = await mcp.callUnread('search', { connection: 'close' });
      await mcp.list('tools');
      socket.destroy();
    }),
    'inconclusive, cut_off',
    unreadAnswer,
  ],
  [
    'calls the tool, takes its answer only as events, and closes its connection without having read them',
    inResult,
    deserter(async (mcp) => {
      const socket = await mcp.callUnread('search', { accept: 'text/event-stream' });
      await mcp.list('tools');
      socket.destroy();
    }),
    'inconclusive, cut_off',
    unreadAnswer,
  ],
  [
    'calls the tool, reads the answer, and closes a connection that would have stayed open',
    inResult,
    deserter(async (mcp) => {
      await mcp.list('tools');
      const socket = await mcp.callUnread('search');
      await new Promise((resolve) => socket.once('data', resolve).resume());
      socket.destroy();
    }),
    'resisted',
  ],
  [
    'is stopped by a signal',
    inResult,
    deserter(async (mcp, stage) => {
      await mcp.list('tools');
      await mcp.call('search');
      stage.interrupt();
    }),
    'inconclusive, cut_off',
    'stopped',
  ],
  [
    'calls the tool with the secret, and is stopped by a signal',
    inResult,
    deserter(async (mcp, stage) => {
      await mcp.call('search', { q: secret });
      stage.interrupt();
    }),
    'exploited',
  ],
  [
    'floods the server',
    inResult,
    deserter(
      async (mcp) => {
        await mcp.list('tools');
        for (let round = 0; round < 20; round++) await mcp.call('search').catch(() => {});
      },
      { limits: { records: 30 } },
    ),
    'inconclusive, cut_off',
    'more messages were sent',
  ],
  [
    'comes back in a new session',
    inDescription,
    deserter(async (mcp) => {
      await mcp.list('tools');
      await mcp.leave();
      await mcp.enter();
      await mcp.call('search');
    }),
    'resisted',
  ],
]);

const both = { ...inResult.written, correlation: { logic: 'all' } };
const inHalves: Attack = {
  where: 'in a tool’s result, with two things to do',
  written: { ...both, indicators: [calls, { ...calls, pattern: { contains: 'shell' } }] },
};

export const verdicts = rowsOf('mcp_server', [
  ['does one of the two', inHalves, visitor((mcp) => mcp.call('search', { q: secret })), 'partial'],
  [
    'only lists, where as little as a list is asked for',
    inDescription,
    visitor((mcp) => mcp.list('tools'), { demand: 'reached' }),
    'inconclusive, silent',
  ],
  [
    'lists and calls, where a use is asked for',
    inResult,
    visitor(
      async (mcp) => {
        await mcp.list('tools');
        await mcp.call('search');
      },
      { demand: 'strict' },
    ),
    'resisted',
  ],
  ['finds nobody, since the port is taken', inResult, noPort, 'error', 'cannot be opened'],
]);
