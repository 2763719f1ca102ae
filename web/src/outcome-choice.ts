import { type CellOutcome, cellOutcomes } from './cells.ts';
import { h } from './dom.ts';
import { symbol } from './parts.ts';
import { grouped, spaced } from './words.ts';

export interface OutcomeChoice {
  readonly element: HTMLElement;
  /** Shows the number of each outcome. Outcomes without any are hidden. */
  count(outcomes: readonly CellOutcome[]): void;
  choose(outcome: string): void;
  chosen(): string;
}

/** The outcomes with their counts, as a legend and a filter. */
export function createOutcomeChoice(changed: () => void): OutcomeChoice {
  let chosen = '';
  const choices = cellOutcomes.map((outcome) => {
    const number = h('b', {});
    const button = h(
      'button',
      { type: 'button', class: 'choice', 'data-outcome': outcome, 'aria-pressed': 'false' },
      symbol(outcome),
      number,
      ` ${spaced(outcome)}`,
    );
    button.addEventListener('click', () => {
      choose(chosen === outcome ? '' : outcome);
      changed();
    });
    return { outcome, button, number };
  });
  function choose(outcome: string): void {
    chosen = cellOutcomes.find((known) => known === outcome) ?? '';
    for (const each of choices) each.button.setAttribute('aria-pressed', String(each.outcome === chosen));
  }
  return {
    element: h(
      'div',
      { class: 'choices', role: 'group', 'aria-label': 'Outcome' },
      choices.map(({ button }) => button),
    ),
    count(outcomes) {
      for (const { outcome, button, number } of choices) {
        const found = outcomes.filter((each) => each === outcome).length;
        number.textContent = grouped(found);
        button.hidden = found === 0 && outcome !== chosen;
      }
    },
    choose,
    chosen: () => chosen,
  };
}
