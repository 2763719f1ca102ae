/** Shows the visible part of a long list. The page itself scrolls, so that several lists can share it. */
export interface ListWindow {
  /** Redraws after the list or the page has changed. */
  update(): void;
  /** Scrolls to an item, below the parts that stick to the top of the page. */
  reveal(item: number): void;
  stop(): void;
}

export interface WindowOptions {
  /** The element whose top is the top of the first item. */
  readonly list: HTMLElement;
  readonly count: () => number;
  readonly itemHeight: () => number;
  /** The height covered at the top and the bottom of the screen. */
  readonly covered: () => readonly [top: number, bottom: number];
  item(number: number): HTMLElement;
  /** An element that stays after the items. */
  readonly end?: HTMLElement;
  /** Called when exactly the items from `from` to before `to` are in the page. */
  shown?(from: number, to: number): void;
}

const beyond = 8;
/** On paper all items are shown, up to this number. */
const mostPrinted = 3_000;

export function createWindow(options: WindowOptions): ListWindow {
  const { list, count, itemHeight, covered, item: create, end = null } = options;
  const elements = new Map<number, HTMLElement>();
  let last = '';
  let frame = 0;
  let printing = false;

  function update(force = true): void {
    frame = 0;
    if (!list.isConnected || list.offsetParent === null) return;
    const height = itemHeight();
    const { top } = list.getBoundingClientRect();
    const from = printing ? 0 : Math.max(0, Math.floor(-top / height) - beyond);
    const to = printing
      ? Math.min(count(), mostPrinted)
      : Math.min(count(), Math.ceil((innerHeight - top) / height) + beyond);
    const now = `${from} ${to} ${height}`;
    if (!force && now === last) return;
    const isSameHeight = last.endsWith(` ${height}`);
    last = now;
    fill(Math.min(from, count()), Math.max(from, to), force || !isSameHeight);
  }

  /** Items that stay visible are kept, and with them the focus. */
  function fill(from: number, to: number, afresh: boolean): void {
    for (const [number, element] of elements)
      if (afresh || number < from || number >= to) {
        element.remove();
        elements.delete(number);
      }
    let next: HTMLElement | null = end;
    for (let number = Math.min(to, count()) - 1; number >= from; number--) {
      let element = elements.get(number);
      if (element === undefined) {
        element = create(number);
        list.insertBefore(element, next);
        elements.set(number, element);
      }
      next = element;
    }
    options.shown?.(from, to);
  }

  const soon = (): void => {
    frame ||= requestAnimationFrame(() => update(false));
  };
  const print = (is: boolean) => (): void => {
    printing = is;
    update();
  };
  const [before, after] = [print(true), print(false)];
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon);
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  return {
    update,
    reveal(item) {
      const height = itemHeight();
      const top = list.getBoundingClientRect().top + item * height;
      const [above, below] = covered();
      const [first, last] = [above, innerHeight - below - height];
      if (top >= first && top <= last) return;
      // An item far away is scrolled well into view. A neighbour of the visible items moves the page by one item.
      const near = top > first - 2 * height && top < last + 2 * height;
      scrollBy({
        top: near ? (top < first ? top - first : top - last) : top - first - (last - first) / 3,
        behavior: 'instant',
      });
      update();
    },
    stop() {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    },
  };
}
