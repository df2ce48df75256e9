import { expect, test } from 'vitest';
import { readRetryAfter } from './call-api.ts';

test('a wait is read as seconds, as a Unix time and as a date, and is at most a day', () => {
  const now = Date.parse('2026-12-01T17:00:00Z');
  const cases: [headers: Record<string, string>, waitMs: number | undefined][] = [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Tue, 01 Dec 2026 17:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Tue, 01 Dec 2026 16:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': '999999999' }, 86_400_000],
    [{ 'x-ratelimit-reset': String(now / 1000 + 12) }, 12_000],
    [{ 'x-sib-ratelimit-reset': '3' }, 3000],
    [{ 'retry-after': 'soon', 'ratelimit-reset': '2' }, 2000],
    [{}, undefined],
  ];
  for (const [headers, waitMs] of cases)
    expect(readRetryAfter(headers, now), JSON.stringify(headers)).toBe(waitMs);
});
