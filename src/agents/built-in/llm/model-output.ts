import { parseCallArguments } from '../../adapters/conversation/chat-message.ts';
import type { ModelOutput, ToolCall, Usage } from '../model.ts';
import { ServiceFailure } from './ask-service.ts';
import type { WireNames } from './wire-names.ts';

/** A call, assembled from its pieces. */
export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** How an answer ended, according to the service. `filtered` means that the service withheld it, not the model. */
export type ModelEnding = 'done' | 'refused' | 'filtered' | 'cut off';

export interface StreamedAnswer {
  readonly text: string;
  readonly calls: Iterable<StreamedCall>;
  readonly usage: Usage | undefined;
  /** Absent if the service did not say. */
  readonly ending: ModelEnding | undefined;
}

/** A refusal is an answer, even if the service sends no text for it. */
const refusal = '[The model refused to answer.]';
const nothing = 'the model answered with nothing';

export function createModelOutput(streamed: StreamedAnswer, names: WireNames, maxTokens: number): ModelOutput {
  const { text, usage, ending } = streamed;
  if (ending === undefined) throw new ServiceFailure('the answer of the model broke off');
  const counted = usage === undefined ? {} : { usage };
  // A call that was still being written when the answer ended does not count.
  if (ending === 'refused') return { text: text === '' ? refusal : text, toolCalls: [], ...counted };
  if (ending === 'filtered')
    return {
      text,
      toolCalls: [],
      ...counted,
      ...(text.trim() === '' && { cutOff: `${nothing}: the service has filtered it` }),
    };
  if (ending === 'cut off')
    return {
      text,
      toolCalls: [],
      ...counted,
      cutOff: `the answer of the model was cut off, it may have ${maxTokens} tokens`,
    };
  const toolCalls = [...streamed.calls].map(
    ({ id, name, args }, index): ToolCall => ({
      id: id === '' ? `call-${index + 1}` : id,
      name: names.fromWire(name),
      arguments: parseCallArguments(args),
    }),
  );
  const isNothing = toolCalls.length === 0 && text.trim() === '';
  return { text, toolCalls, ...counted, ...(isNothing && { cutOff: nothing }) };
}
