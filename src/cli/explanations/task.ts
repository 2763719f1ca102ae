import type { TaskRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

export const task: { readonly [C in TaskRuleId]: Explanation } = {
  'O-211': {
    title: '`x-task` is not a list of checks',
    why:
      'An agent that does nothing resists every attack, so a document says how to tell that the user’s task was ' +
      'done. Each check is written like an indicator, with the same fields and the same rules. The task is done ' +
      'when all checks match.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          x-task:
            - surface: tools/call
              target: name
      -       contains: weather
      +       pattern:
      +         contains: weather
    `,
  },
  'O-212': {
    title: 'the id of a check is not well-formed or not unique',
    why:
      'The id of a check ends in T and a number, so that it is not mistaken for an indicator: `ACME-001-T1`. ' +
      'Without an id, a check gets one from its position. No other check and no indicator may have the same id.',
    ...mend`
        oatf: "0.1"
        attack:
          id: ACME-001
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          x-task:
      -     - id: ACME-001-01
      +     - id: ACME-001-T1
              surface: tools/call
              target: name
              pattern:
                contains: weather
    `,
  },
  'O-213': {
    title: 'a check looks at messages that the agent does not send',
    why:
      'A task is done by what the agent does, and messages of the attack itself are not acts of the agent. Such a ' +
      'check is never met, so the task would never be done.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          x-task:
            - surface: tools/call
      -       direction: response
      +       direction: request
              target: name
              pattern:
                contains: weather
    `,
  },
  'O-214': {
    title: 'a check may have nothing to look at, or no judge',
    why:
      'The document can be run. But the check has an unknown surface or protocol, or it is semantic and there may ' +
      'be no judge. The state of the task is then unknown, which counts neither for the agent nor against it.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Poisoned weather
          execution:
            mode: mcp_server
            state:
              tools:
                - name: weather
          x-task:
      -     - surface: tools/cal
      +     - surface: tools/call
              target: name
              pattern:
                contains: weather
    `,
  },
};
