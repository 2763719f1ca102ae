import { stemWord } from './word-stems.ts';

// Classes of actions, for comparing requests with tools.

export type ActionClass = keyof typeof actionWords;

const actionWords = {
  retrieve: `get fetch read show open download view retrieve display load access check see look give tell pull
    browse visit inspect obtain collect describe print return gather dump know track`,
  list: 'list enumerate show index',
  search: 'search find query lookup look locate discover grep research google',
  send: `send email mail forward post notify message share reply publish dispatch transmit deliver relay sms
    alert contact invite broadcast`,
  submit: 'upload submit push store save archive put attach report log record register sync export backup',
  compute: `calculate compute add sum subtract multiply divide convert count total plus minus times evaluate
    solve average`,
  create: 'create generate make produce draft write compose prepare schedule book insert open add',
  run: `run execute start launch trigger deploy build invoke perform restart install release provision test
    rerun`,
  analyze: `analyze summarize review process examine assess evaluate audit validate verify classify translate
    transform clean normalize parse extract compare explain scan check inspect format lint optimize recommend
    debug diagnose`,
  update: `update edit modify change set write rename configure replace patch enable disable grant assign
    approve reset rotate move merge append`,
  remove: 'delete remove drop erase clear cancel revoke purge uninstall wipe',
  pay: 'pay transfer wire buy order purchase withdraw deposit refund charge invest sell transact',
} as const;

export const actionsOfStem: ReadonlyMap<string, readonly ActionClass[]> = indexActionsByStem();

function indexActionsByStem(): Map<string, ActionClass[]> {
  const found = new Map<string, ActionClass[]>();
  for (const [action, words] of Object.entries(actionWords) as [ActionClass, string][])
    for (const word of words.split(/\s+/)) {
      const actions = found.get(stemWord(word)) ?? [];
      found.set(stemWord(word), [...actions, action]);
    }
  return found;
}

/** For each requested action, the tool actions that serve it: always, or only if everything else fits. */
export const servedBy: {
  readonly [Asked in ActionClass]: readonly [readonly ActionClass[], readonly ActionClass[]];
} = {
  retrieve: [['retrieve', 'list'], ['search']],
  list: [['list', 'retrieve'], ['search']],
  search: [['search'], ['retrieve', 'list']],
  send: [['send'], ['submit', 'create']],
  submit: [['submit'], ['send', 'create', 'update']],
  compute: [['compute'], ['run']],
  create: [['create'], ['submit', 'run']],
  run: [['run'], ['create']],
  analyze: [['analyze'], ['retrieve', 'list', 'search', 'compute']],
  update: [['update'], ['create', 'run']],
  remove: [['remove'], ['update']],
  pay: [['pay'], ['run', 'send', 'create', 'submit']],
};

export const readingActions: ReadonlySet<ActionClass> = new Set(['retrieve', 'list', 'search']);

/** Verbs that imply their object. */
export const impliedObjects: { readonly [verb: string]: string } = Object.fromEntries(
  Object.entries({
    email: 'email mail',
    mail: 'email mail',
    browse: 'web page url',
    google: 'web',
    transfer: 'transfer transaction payment fund money',
    wire: 'transfer transaction payment fund',
    pay: 'payment transaction',
    refund: 'payment transaction',
    deploy: 'deployment',
    message: 'message',
    translate: 'translation text',
    report: 'report',
  }).map(([verb, objects]) => [stemWord(verb), objects]),
);
