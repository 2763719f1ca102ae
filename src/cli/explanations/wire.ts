import type { WireRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

type WireWarning = 'O-116' | 'O-117';

export const runningWire: { readonly [C in WireWarning]: Explanation } = {
  'O-116': {
    title: 'a transport cannot do what a rule of `x-wire` says',
    why:
      'A rule of `x-wire` is performed by the transport of the message: a status belongs to HTTP, a broken line ' +
      'to a pipe, trailers to gRPC. The agent used a transport that has no such thing, so the message was sent ' +
      'without it. docs/wire.md lists what each transport can do.',
    ...mend`
        oatf: "0.1"
        attack:
          name: An answer that is no JSON
          execution:
            mode: mcp_server
            state:
              tools:
                - name: search
            x-wire:
              - on: tools/call
      -         frame: newline_inside
      +         bytes: { cut: 50% }
    `,
  },
  'O-117': {
    title: 'a rule of `x-wire` was never applied',
    why:
      'No message of the run matched the rule, or earlier rules matched them all: the first matching rule wins. ' +
      'The effect that the rule describes did not happen.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A slow search
          execution:
            mode: mcp_server
            state:
              tools:
                - name: search
            x-wire:
              - on: tools/call
      +         times: 1
                delay: 1s
              - on: tools/call
                delay: 20s
    `,
  },
};

export const wire: { readonly [C in WireRuleId]: Explanation } = {
  'O-241': {
    title: '`x-wire` is not a list of rules',
    why:
      'With `x-wire` a phase says how its messages are sent. It is a list. Each rule has `on`, the operation that ' +
      'it applies to; optionally `when` and `nth` or `times`; and at least one key that says what is done. If a ' +
      'rule were misread, nothing would happen to the agent, and the run would look as if the agent had resisted.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A slow search
          execution:
            mode: mcp_server
            state:
              tools:
                - name: search
            x-wire:
              - on: tools/call
      -         delay: 20
      +         delay: 20s
    `,
  },
  'O-242': {
    title: 'no actor of this mode can do what a rule of `x-wire` says',
    why:
      'Some effects of `x-wire` belong to one side or to one protocol: only servers answer, only clients read ' +
      'answers, and only A2A has gRPC. An effect that nothing can perform is left out when the document is ' +
      'played.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A search that fails
          execution:
            mode: mcp_server
            state:
              tools:
                - name: search
            x-wire:
              - on: tools/call
      -         grpc: { status: UNAVAILABLE }
      +         error: { code: -32000, message: The index is being rebuilt. }
    `,
  },
};
