import { isHttpUrl } from '../../config/values.ts';
import { visible } from '../../report/visible.ts';
import { bridge as carry } from '../bridge/bridge.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import type { Exit } from '../outcome.ts';

export const bridge: Command<'bridge'> = async ({ url }, io) => {
  if (!isHttpUrl(url))
    return complain(
      io,
      'usage',
      `bridge: "${visible(url)}" is not an http or https URL`,
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
    note: (text) => void io.stderr.write(`oatf: bridge: ${visible(text)}\n`),
  });
  if (asked !== undefined) return { exit: asked };
  if (end.kind === 'ended') return { exit: 'ok' };
  const hint = 'a bridge lasts as long as the run that it leads to';
  return complain(io, 'unavailable', `bridge: ${visible(end.reason)}`, hint);
};
