import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inSlices } from '../../src/suite/in-slices.ts';

// The clock moves only while an item takes time, so that the items decide when a slice ends.
let now = 0;

beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function slicesOf(itemMs: number) {
  const handled: number[] = [];
  const prepare = vi.fn(async () => (item: number) => {
    now += itemMs;
    handled.push(item);
  });
  return { handled, prepare, slices: inSlices(prepare) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('work in slices', () => {
  test('nothing is prepared before there is something to do, and nothing is done at once', async () => {
    const { slices, prepare, handled } = slicesOf(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(prepare).not.toHaveBeenCalled();
    slices.add(1);
    expect(handled).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual([1]);
    expect(prepare).toHaveBeenCalledOnce();
  });

  test.each([1, 600])('work that comes after %i items is done as well', async (count) => {
    const { slices, handled } = slicesOf(0);
    for (const item of numbers(count)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    slices.add(count);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(count + 1));
  });

  test.each([1, 600])('work that comes after %i items were drained is done as well', async (count) => {
    const { slices, handled } = slicesOf(0);
    for (const item of numbers(count)) slices.add(item);
    await slices.drain();
    slices.add(count);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(count + 1));
  });

  test('long work is left for later turns of the event loop', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(9)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(4));
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(8));
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(9));
  });

  test('too much is done in one go', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(600)) slices.add(item);
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(600));
  });

  test('draining does everything, once and in order', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(10)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    slices.add(10);
    await slices.drain();
    expect(handled).toEqual(numbers(11));
    await vi.advanceTimersByTimeAsync(100);
    expect(handled).toEqual(numbers(11));
  });

  test('an item that is added by another is done as well', async () => {
    const handled: number[] = [];
    const slices = inSlices<number>(async () => (item) => {
      handled.push(item);
      if (item < 3) slices.add(item + 1);
    });
    slices.add(1);
    await slices.drain();
    expect(handled).toEqual([1, 2, 3]);
  });

  test('an item that fails is not done twice', async () => {
    const handled: number[] = [];
    const slices = inSlices<number>(async () => (item) => {
      handled.push(item);
      if (item === 1) throw new Error('no');
    });
    slices.add(1);
    slices.add(2);
    await expect(slices.drain()).rejects.toThrow('no');
    await slices.drain();
    expect(handled).toEqual([1, 2]);
  });

  test('a caller that drains learns of a preparation that fails', async () => {
    const slices = inSlices<number>(() => Promise.reject(new Error('not there')));
    slices.add(1);
    await vi.advanceTimersByTimeAsync(2);
    await expect(slices.drain()).rejects.toThrow('not there');
  });
});
