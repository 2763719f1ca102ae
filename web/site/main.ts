import { addCopyButtons } from './copy.ts';
import { openMenuWhereThereIsRoom } from './menu.ts';
import { startSearch } from './search.ts';

openMenuWhereThereIsRoom();
addCopyButtons();
startSearch();
