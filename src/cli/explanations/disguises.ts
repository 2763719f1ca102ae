import type { DecodeRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

export const disguises: { readonly [C in DecodeRuleId]: Explanation } = {
  'O-221': {
    title: '`x-decode` is neither true nor false',
    why:
      'With `x-decode: true` the pattern of an indicator is also looked for behind base64, hex, reversal and ' +
      'other disguises. The list of disguises is fixed.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          indicators:
            - surface: tools/call
              target: arguments
              pattern:
                contains: cnry-guest-7f3a91
      -       x-decode: base64
      +       x-decode: true
    `,
  },
  'O-222': {
    title: 'there is no text to look for behind disguises',
    why:
      '`x-decode` works only with a pattern that uses `contains`, `starts_with`, `ends_with` or `regex`. An ' +
      'equality, a number or the existence of a field cannot be disguised; a CEL expression compares the text as ' +
      'it is; and a judge reads the meaning of a text. Checks of a task are always evaluated to the letter, ' +
      'because an agent does not hide a task that it has done.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          indicators:
            - surface: tools/call
              target: arguments
      -       expression:
      -         cel: message.arguments.note.contains("cnry-guest-7f3a91")
      +       pattern:
      +         contains: cnry-guest-7f3a91
              x-decode: true
    `,
  },
};
