/** The menu is folded on a narrow screen and always open on a wide one. */
export function openMenuWhereThereIsRoom(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu > details');
  if (menu === null) return;
  const isWide = matchMedia('(min-width: 60rem)');
  const follow = (): void => {
    menu.open = isWide.matches;
  };
  isWide.addEventListener('change', follow);
  follow();
  const nav = menu.parentElement;
  const current = menu.querySelector<HTMLElement>('[aria-current]');
  // `scrollIntoView` would also scroll the page.
  if (isWide.matches && nav !== null && current !== null) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
}
