import { escapeInvisible } from '../../src/format/model/escape-invisible.ts';

// All shown text comes from documents and agents. It becomes text and attributes, never markup. Characters that hide,
// or reverse the direction of the text, are spelt out.

export type Child = Node | string | undefined | false | readonly Child[];

type Attribute = string | number | boolean | undefined;
export interface Attributes {
  readonly [name: string]: Attribute;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (typeof child === 'string') parent.appendChild(document.createTextNode(escapeInvisible(child, '\n\t')));
    else if (child instanceof Node) parent.appendChild(child);
    else append(parent, child);
  }
}

/** Positions an element. The page's policy forbids style attributes but allows setting styles from script. */
export function place<T extends HTMLElement>(element: T, style: Partial<CSSStyleDeclaration>): T {
  Object.assign(element.style, style);
  return element;
}

/** Text for screen readers only. */
export function spoken(text: string): HTMLElement {
  return h('span', { class: 'spoken' }, text);
}

export function button(label: string, attributes: Attributes, press: () => void): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', press);
  return element;
}
