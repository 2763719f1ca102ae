import type { GenerateRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

export const generated: { readonly [C in GenerateRuleId]: Explanation } = {
  'O-231': {
    title: '`x-generate` is not a list of values to generate',
    why:
      'With `x-generate` a phase generates values while they are sent, so that they can be larger than a ' +
      'document. Each entry has a place (`at`), a `kind` and the parameters of that kind. A generated text may ' +
      'have words `before` and `after` it; for other kinds, `as: text` sends the JSON as a text.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A very long answer
          execution:
            mode: mcp_server
            state:
              tools:
                - name: report
                  responses:
                    - content:
                        content:
                          - type: text
                            text: long
            x-generate:
              - at: /state/tools/0/responses/0/content/content/0/text
      -         kind: txt
      -         length: 1000000
      +         kind: text
      +         bytes: 1000000
    `,
  },
  'O-232': {
    title: '`at` does not point to a value that is sent',
    why:
      'A generated value replaces a value of the phase. The pointer starts at the phase as it is written, or at ' +
      '`execution` if there are no phases, and begins with `/state` or `/on_enter`. A tool that does not know ' +
      '`x-generate` sends the value that is written there. The items of the kind `items` replace one item of a ' +
      'list.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A flood of tools
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
                - name: weather_1
            x-generate:
      -       - at: /state/tools
      +       - at: /state/tools/1
                kind: items
                count: 1000
                item: { name: "weather_{n}" }
    `,
  },
  'O-233': {
    title: 'a generated value would exceed a limit',
    why:
      'A document must not fill the memory or the disk of the machine that plays it, so there are limits. One ' +
      'value has at most a thousand million bytes, a million levels, and ten million keys or items.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Too deep
          execution:
            mode: mcp_server
            state:
              tools:
                - name: report
                  responses:
                    - content:
                        structuredContent: {}
            x-generate:
              - at: /state/tools/0/responses/0/content/structuredContent
                kind: nested
      -         depth: 2000000
      +         depth: 1000000
    `,
  },
  'O-234': {
    title: 'two values are generated at one place',
    why:
      'Only one value can be at a place. A generated value is made as a whole, so no part of it can be generated ' +
      'separately.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Twice the same
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
                  description: Tells the weather.
            x-generate:
              - at: /state/tools/0/description
                kind: text
      -       - at: /state/tools/0
      +       - at: /state/tools/0/name
      -         kind: keys
      +         kind: noise
      +         bytes: 64
    `,
  },
};
