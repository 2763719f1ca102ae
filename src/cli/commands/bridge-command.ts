import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isHttpUrl } from '../../suite/config/value-patterns.ts';
import { relayLines } from '../bridge/bridge.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { watchInterruption } from '../run/play/interruption.ts';

export const runBridgeCommand: Command<'bridge'> = async ({ url }, io) => {
  if (!isHttpUrl(url))
    return complain(
      io,
      'usage',
      `bridge: "${url}" is not an http or https URL`,
      'such as http://127.0.0.1:8080/mcp, as oatf run prints it',
    );
  const { signal, exit } = watchInterruption(io, undefined);
  const end = await relayLines({
    url: new URL(url),
    ...io.pipes(),
    signal,
    note: (text) => void io.stderr.write(`oatf: bridge: ${escapeInvisible(text)}\n`),
  });
  const asked = exit();
  if (asked !== undefined) return { exit: asked };
  if (end.kind === 'ended') return { exit: 'ok' };
  const hint = 'a bridge lasts as long as the run that it leads to';
  return complain(io, 'unavailable', `bridge: ${end.reason}`, hint);
};
