import { attackDocuments } from './attack-documents.ts';
import type { AttackOptions } from './attack-options.ts';
import { checkOptions } from './check-options.ts';
import { type DocumentReference, readReference, readSelection, type Selection } from './documents.ts';
import { makeAttackResults } from './make-result.ts';
import { blameCaller, NotAttacked } from './not-attacked.ts';
import type { AttackReport, AttackReports } from './result.ts';

/** Attacks an agent with one document. Rejects only if there is nothing to run; every other failure is a result. */
export async function attack(document: DocumentReference, options: AttackOptions): Promise<AttackReport> {
  return blameCaller(attack, async () => {
    checkOptions(options, 'attack');
    const [result] = await attackDocuments([await readReference(document)], options, 1);
    if (result === undefined) throw new Error('an attack without a result');
    return result;
  });
}

/** Options for several attacks. */
export type AttackAllOptions = AttackOptions & {
  /** How many attacks run at the same time. Default: 1, because not every agent can run in parallel with itself. */
  readonly concurrency?: number | undefined;
  /** The lowest accepted utility under attack, from 0 to 1: the share of tasks that were done without following an attack. Default: any. */
  readonly minUtility?: number | undefined;
};

/** Attacks an agent with every document of a selection; `{}` selects the whole library. */
export async function attackAll(selection: Selection, options: AttackAllOptions): Promise<AttackReports> {
  return blameCaller(attackAll, async () => {
    checkOptions(options, 'attackAll');
    const { concurrency = 1, listen, minUtility } = options;
    if (concurrency > 1 && listen !== undefined)
      throw new NotAttacked(
        `concurrency: ${concurrency} runs cannot listen on the same ports`,
        'leave `listen` out, or `concurrency`',
      );
    return makeAttackResults(await attackDocuments(await readSelection(selection), options, concurrency), minUtility);
  });
}
