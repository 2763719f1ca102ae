import type { runWarnings } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

type AgUiWarning = 'O-130' | 'O-131';

// Warnings of runs with AG-UI actors.
export const runningAgUi: { readonly [C in keyof typeof runWarnings & AgUiWarning]: Explanation } = {
  'O-130': {
    title: 'the agent ended its run with a question',
    why:
      'AG-UI 1.0 lets an agent end its run with an interrupt: it asks its user a question, usually for an ' +
      'approval, and continues after the answer. That is a proper end: an agent that asks before it acts is not ' +
      'exploited. To see what it does after an answer, let the next phase submit a `resume`, or answer it with ' +
      'the extension `interrupt_responses`.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A payment that somebody approves
          execution:
            mode: ag_ui_client
            state:
              run_agent_input:
                threadId: thread-1
                runId: run-1
                messages:
                  - id: m1
                    role: user
                    content: Pay the invoice
      +       interrupt_responses:
      +         - status: resolved
      +           payload:
      +             approved: true
    `,
  },
  'O-131': {
    title: 'a patch from the agent does not fit the state',
    why:
      'A run that answers an agent carries the state that the agent’s STATE_SNAPSHOT and STATE_DELTA events have ' +
      'made. A delta is a JSON Patch. One that removes or replaces a missing value cannot be applied: the state ' +
      'stays as it was, also for the agent’s next run. Often the agent assumes a state that the run input does ' +
      'not have.',
    ...mend`
        oatf: "0.1"
        attack:
          name: A shared board
          execution:
            mode: ag_ui_client
            state:
              run_agent_input:
                threadId: thread-1
                runId: run-1
      +         state:
      +           cards: []
                messages:
                  - id: m1
                    role: user
                    content: Add a card
    `,
  },
};
