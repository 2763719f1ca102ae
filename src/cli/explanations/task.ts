import type { TaskRuleId } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

export const task: { readonly [C in TaskRuleId]: Explanation } = {
  'O-211': {
    title: '`x-task` is not a list of checks',
    why:
      'An agent that does nothing resists everything, so a document says how one knows that the user’s task was done. ' +
      'Each check is written like an indicator, with the same fields and the same rules. The task was done when all of ' +
      'them match.',
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
    title: 'the id of a check is not that of a check',
    why:
      'Ids of checks end in T and a number, so that nobody takes one for an indicator: `ACME-001-T1`. They are given by ' +
      'their place where they are left out. No other check and no indicator may have the same id.',
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
    title: 'a check looks where the agent says nothing',
    why:
      'A task is done by what the agent does. What the attack itself sends is no act of the agent’s. Such a check is never ' +
      'met, so the task would never be done.',
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
    title: 'a check may have nothing to look at, or nobody to judge it',
    why:
      'The document can be run. But the surface or the protocol of the check is none that is known, or its meaning must be ' +
      'judged and there may be no judge. Whether the task was done is then unknown, which counts for nobody.',
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
