import { describe, expect, test } from 'vitest';
import { documentWith } from '../../support/records.ts';
import { playVirtually } from '../../support/virtual-run.ts';

// `x-await`: a phase sends nothing on its own until other actors have extracted the values that it needs.

const extractors = [{ name: 'card', source: 'request', type: 'json_path', selector: '$.arguments.card' }];
const shop = {
  name: 'shop',
  mode: 'mcp_server',
  phases: [{ state: { tools: [{ name: 'pay' }] }, extractors }],
};
const said = 'Is {{shop.card}} yours?';
const message = (text: string) => ({ message: { role: 'user', parts: [{ kind: 'text', text }] } });
const calling = (awaits: unknown, ...more: object[]) => ({
  name: 'caller',
  mode: 'a2a_client',
  phases: [
    {
      name: 'asks',
      'x-await': awaits,
      state: { actions: [{ method: 'message/send', params: message(said) }] },
      ...(more.length > 0 && { trigger: { after: '5s' } }),
    },
    ...more,
  ],
});
const play = (...actors: object[]) => playVirtually(documentWith({ execution: { actors } }));
const pay = { name: 'pay', arguments: { card: '4242' } };

describe('a phase with x-await', () => {
  test('sends its message with the value once the value has come', async () => {
    const virtual = await play(shop, calling([{ actor: 'shop', extractors: ['card'] }]));
    expect(virtual.peer('caller').calls()).toEqual([]);
    virtual.peer('shop').request('tools/list');
    expect(virtual.peer('caller').calls()).toEqual([]);
    virtual.peer('shop').request('tools/call', pay);
    expect(virtual.peer('caller').calls()).toMatchObject([message('Is 4242 yours?')]);
    virtual.run.stop();
    expect((await virtual.run.ended).diagnostics).toEqual([]);
  });
  test('goes on without the value when its time is over and reports O-115', async () => {
    const virtual = await play(shop, calling([{ actor: 'shop', extractors: ['card'], within: '10s' }]));
    virtual.clock.advance(9_999);
    expect(virtual.peer('caller').calls()).toEqual([]);
    virtual.clock.advance(1);
    expect(virtual.peer('caller').calls()).toMatchObject([message('Is  yours?')]);
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toContain('O-115');
  });
  test('keeps the run from ending while it waits', async () => {
    const virtual = await play(shop, calling([{ actor: 'shop', extractors: ['card'], within: '1m' }]));
    virtual.peer('shop').request('tools/list');
    virtual.clock.advance(50_000);
    virtual.peer('shop').request('tools/call', pay);
    expect(virtual.peer('caller').calls()).toHaveLength(1);
  });
  test('waits for several values, each with a time of its own', async () => {
    const virtual = await play(
      shop,
      calling([
        { actor: 'shop', extractors: ['card'], within: '20s' },
        { actor: 'shop', extractors: ['never'], within: '10s' },
      ]),
    );
    virtual.peer('shop').request('tools/call', pay);
    expect(virtual.peer('caller').calls()).toEqual([]);
    virtual.clock.advance(10_000);
    expect(virtual.peer('caller').calls()).toMatchObject([message('Is 4242 yours?')]);
  });
  test('sends nothing if it ends while it waits and reports O-115', async () => {
    const virtual = await play(shop, calling([{ actor: 'shop', extractors: ['card'] }], { name: 'later' }));
    virtual.clock.advance(5_000);
    virtual.peer('shop').request('tools/call', pay);
    expect(virtual.peer('caller').calls()).toEqual([]);
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toContain('O-115');
  });
  test('serves requests while it waits for a value of its own actor', async () => {
    const virtual = await play({
      ...shop,
      phases: [
        {
          ...shop.phases[0],
          'x-await': [{ extractors: ['card'] }],
          on_enter: [{ send: { method: 'notifications/message', params: { data: 'got {{card}}' } } }],
        },
      ],
    });
    expect(virtual.peer('shop').request('tools/list')).toEqual({ tools: [{ name: 'pay' }] });
    expect(virtual.peer('shop').sent.filter(({ kind }) => kind === 'notify')).toEqual([]);
    virtual.peer('shop').request('tools/call', pay);
    expect(virtual.peer('shop').sent.filter(({ kind }) => kind === 'notify')).toMatchObject([
      { method: 'notifications/message', content: { data: 'got 4242' } },
    ]);
  });
  test.each([
    ['a text', 'shop.card'],
    ['a list of something else', [{ for: 'me' }, 3]],
    ['an unreadable time', [{ actor: 'shop', extractors: ['card'], within: 'soon' }]],
  ])('does not wait for %s under x-await', async (_, awaits) => {
    const virtual = await play(shop, calling(awaits));
    expect(virtual.peer('caller').calls()).toHaveLength(1);
  });
});
