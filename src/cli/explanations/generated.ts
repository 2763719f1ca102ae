import type { GenerateRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

export const generated: { readonly [C in GenerateRuleId]: Explanation } = {
  'O-231': {
    title: '`x-generate` is not a list of what is made',
    why:
      'With `x-generate` a phase has values made while they are sent, so that they can be larger than a document. Each ' +
      'entry has a place (`at`), a `kind` and the parameters of that kind. Texts may have words `before` and `after` ' +
      'them; of other kinds, `as: text` gives the JSON as a text.',
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
    title: 'nothing that is sent stands where something is to be made',
    why:
      'What is made takes the place of a value of the phase. The pointer leads from the phase as it is written, or from ' +
      '`execution` where there are no phases, and begins with `/state` or `/on_enter`. What stands there is what a tool ' +
      'sends that does not know `x-generate`. The items of `items` take the place of one item of a list.',
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
    title: 'what is made would be larger than may be',
    why:
      'A document is not to fill the memory or the disk of whoever plays it, so there are bounds. One value has at most a ' +
      'thousand million bytes, a million levels, ten million keys or items.',
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
    title: 'two values are made at one place',
    why:
      'Only one value can stand at a place. What is made is made as a whole, so nothing within it can be made apart from ' +
      'it.',
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
