import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const day = 24 * 60 * 60 * 1_000;

test.each([0, 1, 999.5, 60 * day])('systemClock wakes at or after %d ms', (wait) => {
  const woken = vi.fn();
  systemClock.wakeAt(systemClock.now() + wait, woken);
  if (wait > 1) {
    vi.advanceTimersByTime(wait - 1);
    expect(woken).not.toHaveBeenCalled();
  }
  vi.advanceTimersByTime(2);
  expect(woken).toHaveBeenCalledTimes(1);
});

test.each([10, 60 * day])('systemClock can call off a wake in %d ms, even late', (wait) => {
  const woken = vi.fn();
  const cancel = systemClock.wakeAt(systemClock.now() + wait, woken);
  vi.advanceTimersByTime(wait - 5);
  cancel();
  vi.advanceTimersByTime(wait);
  expect(woken).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('systemClock wakes at once if the time has passed', () => {
  const woken = vi.fn();
  systemClock.wakeAt(systemClock.now() - 1_000, woken);
  vi.advanceTimersByTime(1);
  expect(woken).toHaveBeenCalledTimes(1);
});

test('systemClock gives timestamps in ISO 8601', () => {
  vi.setSystemTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  expect(systemClock.timestamp()).toBe('2026-01-02T03:04:05.006Z');
});
