import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isHttpUrl } from '../../suite/config/value-patterns.ts';
import { relayLines as carry } from '../bridge/bridge.ts';
import type { Exit } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';

export const runBridgeCommand: Command<'bridge'> = async ({ url }, io) => {
  if (!isHttpUrl(url))
    return complain(
      io,
      'usage',
      `bridge: "${url}" is not an http or https URL`,
      'such as http://127.0.0.1:8080/mcp, as oatf run prints it',
    );
  const stopping = new AbortController();
  let asked: Exit | undefined;
  void io.interruption().then((exit) => {
    asked = exit;
    stopping.abort();
  });
  const end = await carry({
    url: new URL(url),
    ...io.pipes(),
    signal: stopping.signal,
    note: (text) => void io.stderr.write(`oatf: bridge: ${escapeInvisible(text)}\n`),
  });
  if (asked !== undefined) return { exit: asked };
  if (end.kind === 'ended') return { exit: 'ok' };
  const hint = 'a bridge lasts as long as the run that it leads to';
  return complain(io, 'unavailable', `bridge: ${end.reason}`, hint);
};
