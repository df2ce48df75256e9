import { expect, test } from 'vitest';
import { clockOffsetMs, databaseTime, observeDatabaseTime } from './database-clock.ts';
import { createId, idTime } from './id.ts';

const dayMs = 86_400_000;

/** Simulates an answer of a database whose clock is `aheadMs` ahead of this process's calendar. */
const observe = (aheadMs: number): void => observeDatabaseTime(Date.now() + aheadMs, performance.now());

const off = (date: Date): number => date.getTime() - Date.now();

test('ids of one process are in order, also with thousands in one millisecond', () => {
  for (const at of [undefined, new Date('2026-11-20T10:00:00Z')]) {
    const ids = Array.from({ length: 20_000 }, () => createId(at));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('ids contain the database’s time, also when it is a day ahead of the process or behind it', () => {
  for (const aheadMs of [dayMs, -dayMs]) {
    observe(aheadMs);
    expect(Math.abs(off(idTime(createId())) - aheadMs)).toBeLessThan(1000);
    expect(Math.abs(clockOffsetMs() + aheadMs)).toBeLessThan(1000);
  }
  observe(0);
});

test('ids stay in order after the database’s clock is set back by a second, and follow it after a day', () => {
  observe(0);
  const first = createId();
  observe(-1000);
  const second = createId();
  expect(second > first).toBe(true);
  observe(-dayMs);
  expect(off(idTime(createId()))).toBeLessThan(-dayMs + 1000);
  observe(0);
});

test('a slow answer does not move an estimate that may be right', () => {
  observe(0);
  const before = databaseTime().getTime() - performance.now();
  // Sent ten seconds ago. The database read its time at some moment since then.
  observeDatabaseTime(Date.now() - 4000, performance.now() - 10_000);
  expect(Math.abs(databaseTime().getTime() - performance.now() - before)).toBeLessThan(2);
});
