import { type Finding, find, type Passage } from './find.ts';

const root = document.body.dataset.root ?? '';

/** The search field of every page. The index is loaded when the field is first used. */
export function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const list = document.querySelector<HTMLElement>('#found');
  if (field === null || list === null) return;
  let active = -1;

  const show = (): void => {
    const { oatfPassages } = globalThis as { oatfPassages?: readonly Passage[] };
    if (oatfPassages === undefined) return;
    const findings = find(field.value, oatfPassages);
    const isAsked = field.value.trim() !== '';
    list.replaceChildren(...findings.map(resultOf));
    if (isAsked && findings.length === 0) list.replaceChildren(noteOf('Nothing found.'));
    list.hidden = !isAsked;
    field.setAttribute('aria-expanded', String(isAsked));
    activate(findings.length === 0 ? -1 : 0);
  };
  const options = (): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const activate = (index: number): void => {
    active = index;
    for (const [at, option] of options().entries()) option.setAttribute('aria-selected', String(at === index));
    const chosen = options()[index];
    chosen?.scrollIntoView({ block: 'nearest' });
    if (chosen === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', chosen.id);
  };
  const close = (): void => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
  };

  field.addEventListener('focus', () => loadIndex(show));
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    const count = options().length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (count > 0) activate((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
    } else if (event.key === 'Enter') options()[active]?.click();
    else if (event.key === 'Escape') {
      close();
      field.blur();
    }
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !list.contains(event.target) && event.target !== field) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}

let isLoading = false;

function loadIndex(then: () => void): void {
  if (isLoading) {
    then();
    return;
  }
  isLoading = true;
  const script = document.createElement('script');
  script.src = `${root}search-index.js`;
  script.addEventListener('load', then);
  document.head.append(script);
}

function resultOf({ passage, excerpt }: Finding, index: number): HTMLElement {
  const [path, title, anchor, heading] = passage;
  const link = document.createElement('a');
  link.href = `${root}${path}.html${anchor === '' ? '' : `#${anchor}`}`;
  link.id = `found-${index}`;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title} › ${heading}`;
  const words = document.createElement('span');
  const [before, match, after] = excerpt;
  const mark = document.createElement('mark');
  mark.textContent = match;
  words.append(before, mark, after);
  link.append(name, words);
  return link;
}

function noteOf(text: string): HTMLElement {
  const note = document.createElement('p');
  note.textContent = text;
  return note;
}
