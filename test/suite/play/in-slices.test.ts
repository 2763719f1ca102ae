import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSlices } from '../../../src/suite/play/record-keeper.ts';

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
  return { handled, prepare, slices: createSlices(prepare) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('createSlices', () => {
  test('prepares nothing before there is an item, and handles no item at once', async () => {
    const { slices, prepare, handled } = slicesOf(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(prepare).not.toHaveBeenCalled();
    slices.add(1);
    expect(handled).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual([1]);
    expect(prepare).toHaveBeenCalledOnce();
  });

  test.each([1, 600])('handles an item that comes after %i items', async (count) => {
    const { slices, handled } = slicesOf(0);
    for (const item of numbers(count)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    slices.add(count);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(count + 1));
  });

  test.each([1, 600])('handles an item that comes after %i items were drained', async (count) => {
    const { slices, handled } = slicesOf(0);
    for (const item of numbers(count)) slices.add(item);
    await slices.drain();
    slices.add(count);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(count + 1));
  });

  test('leaves long work to later turns of the event loop', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(9)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    expect(handled).toEqual(numbers(4));
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(8));
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(9));
  });

  test('handles all items at once if there are too many', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(600)) slices.add(item);
    await vi.advanceTimersToNextTimerAsync();
    expect(handled).toEqual(numbers(600));
  });

  test('handles every item once and in order when drained', async () => {
    const { slices, handled } = slicesOf(0.05);
    for (const item of numbers(10)) slices.add(item);
    await vi.advanceTimersByTimeAsync(2);
    slices.add(10);
    await slices.drain();
    expect(handled).toEqual(numbers(11));
    await vi.advanceTimersByTimeAsync(100);
    expect(handled).toEqual(numbers(11));
  });

  test('handles an item that another item adds', async () => {
    const handled: number[] = [];
    const slices = createSlices<number>(async () => (item) => {
      handled.push(item);
      if (item < 3) slices.add(item + 1);
    });
    slices.add(1);
    await slices.drain();
    expect(handled).toEqual([1, 2, 3]);
  });

  test('handles an item that failed only once', async () => {
    const handled: number[] = [];
    const slices = createSlices<number>(async () => (item) => {
      handled.push(item);
      if (item === 1) throw new Error('no');
    });
    slices.add(1);
    slices.add(2);
    await expect(slices.drain()).rejects.toThrow('no');
    await slices.drain();
    expect(handled).toEqual([1, 2]);
  });

  test('tells a caller that drains if the preparation failed', async () => {
    const slices = createSlices<number>(() => Promise.reject(new Error('not there')));
    slices.add(1);
    await vi.advanceTimersByTimeAsync(2);
    await expect(slices.drain()).rejects.toThrow('not there');
  });
});
