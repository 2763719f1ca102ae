import { describe, expect, test } from 'vitest';
import type { DeliveryFacts } from '../../../src/judgement/judge/delivery-facts.ts';
import { describeMissedContact } from '../../../src/judgement/judge/missed-contact.ts';
import { decideOutcome } from '../../../src/judgement/judge/run-outcome.ts';
import { actorOf, caseOf, endOf, factsOf, needing } from './small-case.ts';

/** What is known of servers that the agent did not find. Requests to them were refused for these reasons. */
function missed(servers: { readonly [name: string]: { readonly [reason: string]: number } }): Partial<DeliveryFacts> {
  const names = Object.entries(servers);
  return {
    actors: Object.fromEntries(
      names.map(([name, reasons]) => [name, actorOf({ reached: Object.keys(reasons).length > 0, engaged: false })]),
    ),
    contacts: new Map(
      names.map(([name, reasons]) => [name, { isHeard: false, refusals: new Map(Object.entries(reasons)) }]),
    ),
  };
}

const at = { end: endOf({ addresses: { shop: 'http://127.0.0.1:8080/mcp' } }) };
const wrongPath = 'POST /: the endpoint is /mcp (404)';
const heard = { isHeard: true, refusals: new Map([[wrongPath, 3]]) };

describe('describeMissedContact', () => {
  test.each<[title: string, facts: Partial<DeliveryFacts>, expected: string | undefined]>([
    ['says nothing of a server that nothing is known of', at, undefined],
    ['says nothing without an address and without requests', missed({ shop: {} }), undefined],
    [
      'names the address that nobody contacted',
      { ...missed({ shop: {} }), ...at },
      'nothing came to "shop" at http://127.0.0.1:8080/mcp',
    ],
    [
      'names the path of a single request',
      { ...missed({ shop: { [wrongPath]: 1 } }), ...at },
      '1 request to "shop" came to /; the endpoint is /mcp',
    ],
    [
      'counts the requests to a path, and names the path of most of them',
      missed({ shop: { 'GET /a: the endpoint is /mcp (404)': 1, 'POST /b: the endpoint is /mcp (404)': 2 } }),
      '2 requests to "shop" came to /b; the endpoint is /mcp',
    ],
    [
      'gives another reason for a refusal as it is',
      missed({ shop: { 'POST /mcp: host "x" is not allowed (403)': 2 } }),
      '2 requests to "shop" were refused: POST /mcp: host "x" is not allowed (403)',
    ],
    [
      'names a server with refused requests before one without any',
      {
        ...missed({ other: {}, shop: { [wrongPath]: 1 } }),
        end: endOf({ addresses: { other: 'http://127.0.0.1:1/mcp' } }),
      },
      '1 request to "shop" came to /; the endpoint is /mcp',
    ],
    [
      'says nothing of refused messages once one was served',
      { actors: { shop: actorOf() }, contacts: new Map([['shop', heard]]), ...at },
      undefined,
    ],
    [
      'says nothing of client actors',
      { ...missed({ shop: {} }), actors: { shop: actorOf({ mode: 'ag_ui_client', reached: false }) }, ...at },
      undefined,
    ],
    [
      'says nothing of actors without phases',
      { ...missed({ shop: {} }), actors: { shop: actorOf({ phases: [], reached: false }) }, ...at },
      undefined,
    ],
  ])('%s', (_, facts, expected) => {
    expect(describeMissedContact(factsOf(facts))).toBe(expected);
  });
});

describe('the reason for an inconclusive outcome of an agent that missed a server', () => {
  const note = '2 requests to "shop" came to /; the endpoint is /mcp';
  test.each<[title: string, facts: Partial<DeliveryFacts>, reason: string]>([
    ['names the path if nothing was delivered', {}, `the tool "a" was never listed; ${note}`],
    [
      'names the path if the agent disconnected',
      { cuts: [{ actor: 'user', reason: 'its stream broke off' }] },
      `the agent broke off (with "user"): its stream broke off; ${note}`,
    ],
    [
      'names the path if the agent failed',
      { troubles: [{ actor: 'user', reason: 'status 500' }] },
      `the agent failed (with "user"): status 500; ${note}`,
    ],
    [
      'leaves the path out if no agent was there',
      { troubles: [{ actor: 'user', reason: 'it cannot be reached', absent: true }] },
      'the agent failed (with "user"): it cannot be reached',
    ],
  ])('%s', (_, more, reason) => {
    const facts = factsOf({
      ...missed({ shop: { [wrongPath]: 2 } }),
      findArrival: () => undefined,
      ...more,
    });
    const found = decideOutcome(caseOf({ needs: needing({ actor: 'shop' }), facts }));
    expect(found).toMatchObject({ outcome: 'inconclusive', reason });
    expect(found.causes?.[0]?.reason).toBe(reason);
  });
});
