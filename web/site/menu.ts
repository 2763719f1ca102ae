/** On a narrow screen the menu is folded; on a wide one it always stands open. */
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
  // Not scrollIntoView: that would move the page as well.
  if (isWide.matches && nav !== null && current !== null)
    nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
}
