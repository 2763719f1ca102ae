import type { WireRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

type WireWarning = 'O-116' | 'O-117';

export const runningWire: { readonly [C in WireWarning]: Explanation } = {
  'O-116': {
    title: 'a transport cannot do what a rule of `x-wire` says',
    why:
      'A rule of `x-wire` is performed by what carries the message: a status is HTTP’s, a broken line is a pipe’s, trailers ' +
      'are gRPC’s. The agent came over something that has no such thing, so the message went out without it. docs/wire.md ' +
      'says which transport does what.',
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
      'No message of the run fitted the rule, or an earlier rule took them all: the first that fits wins. What the rule was to ' +
      'do to the agent has not happened.',
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
      'With `x-wire` a phase says how its messages are sent. It is a list; each rule has `on`, the operation that it is for, ' +
      'perhaps `when` and `nth` or `times`, and at least one key that says what is done. A rule that is misread would leave ' +
      'the agent unharmed, and the run would look as if it had resisted.',
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
      'Some of what `x-wire` can do belongs to one side or to one protocol: only servers answer, only clients read answers, and ' +
      'only A2A speaks gRPC. What nothing can do is left out when the document is played.',
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
