import { button, h } from './dom.ts';

const keys: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['j  ↓', 'next row or message'],
  ['k  ↑', 'the one before'],
  ['h  ←', 'agent to the left'],
  ['l  →', 'agent to the right'],
  ['e', 'unfold the attack'],
  ['Enter', 'open the run, or go into the message'],
  ['Esc', 'close the message, go back to the attacks'],
  ['n', 'next evidence'],
  ['p', 'evidence before'],
  ['s', 'the document, and back'],
  [']', 'next run'],
  ['[', 'run before'],
  ['?', 'this list'],
];

export function createHelp(): HTMLDialogElement {
  const dialog = h('dialog', { 'aria-labelledby': 'help-title' });
  dialog.append(
    h('h2', { id: 'help-title' }, 'Keyboard'),
    h(
      'dl',
      { class: 'keys' },
      keys.map(([key, meaning]) =>
        h(
          'div',
          {},
          h(
            'dt',
            {},
            key.split('  ').map((each) => h('kbd', {}, each)),
          ),
          h('dd', {}, meaning),
        ),
      ),
    ),
    button('Close', {}, () => dialog.close()),
  );
  return dialog;
}
