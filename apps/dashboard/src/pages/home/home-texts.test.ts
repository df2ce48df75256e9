import { expect, test } from 'vitest';
import { attendanceText, countEndpoints, countText, isIdle } from './home-texts.ts';

const dayMs = 86_400_000;
const nowMs = Date.parse('2026-11-26T12:00:00Z');
const before = (days: number): string => new Date(nowMs - days * dayMs).toISOString();

test('a key is idle 90 days after its last use, or after it was made', () => {
  expect(isIdle({ createdAt: before(200), lastUsedAt: before(89) }, nowMs)).toBe(false);
  expect(isIdle({ createdAt: before(200), lastUsedAt: before(91) }, nowMs)).toBe(true);
  expect(isIdle({ createdAt: before(89), lastUsedAt: null }, nowMs)).toBe(false);
  expect(isIdle({ createdAt: before(91), lastUsedAt: null }, nowMs)).toBe(true);
});

test('a paused or failing endpoint counts while it is switched on', () => {
  const endpoint = (enabled: boolean, status: 'healthy' | 'failing' | 'paused') =>
    ({ enabled, health: { status } }) as Parameters<typeof countEndpoints>[0][number];
  const on = [endpoint(true, 'paused'), endpoint(true, 'failing'), endpoint(true, 'failing')];
  const others = [endpoint(true, 'healthy'), endpoint(false, 'paused'), endpoint(false, 'failing')];
  expect(countEndpoints([...on, ...others], 'paused')).toBe(1);
  expect(countEndpoints([...on, ...others], 'failing')).toBe(2);
});

test('a count that ends at its limit says so, and the attendance is a dash before a session has ended', () => {
  expect(countText(9999, 10_000)).toBe('9,999');
  expect(countText(10_000, 10_000)).toBe('10,000 or more');
  expect(attendanceText({ attended: 0, noShow: 0 })).toBe('–');
  expect(attendanceText({ attended: 31, noShow: 19 })).toBe('62%');
});
