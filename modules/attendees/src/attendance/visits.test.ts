import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Visit } from '../entities/attendance.ts';
import { addVisit, countSeq, findVisit, visitsMax } from './visits.ts';

const now = new Date('2026-12-01T17:00:00Z');
const [fresh] = addVisit([], { id: 'a', now }) as [Visit];

function count(visit: Visit, seqs: readonly number[]): { visit: Visit; counted: number[] } {
  const counted: number[] = [];
  for (const seq of seqs) {
    const next = countSeq(visit, seq);
    if (next) counted.push(seq);
    visit = next ?? visit;
  }
  return { visit, counted };
}

test('the newest eight visits are kept', () => {
  let visits: Visit[] = [];
  for (let n = 1; n <= visitsMax + 1; n += 1) visits = addVisit(visits, { id: `page ${n}`, now });
  expect(visits).toHaveLength(8);
  expect(findVisit(visits, 'page 1')).toBeUndefined();
  expect(findVisit(visits, 'page 2')).toEqual({ ...fresh, id: 'page 2' });
  expect(visits.at(-1)!.id).toBe('page 9');
});

test('a number counts once', () => {
  expect(count(fresh, [1, 1, 3, 2, 3, 2, 1]).counted).toEqual([1, 3, 2]);
});

test('31 numbers below the highest are still known', () => {
  const { visit } = count(fresh, [50]);
  expect(count(visit, [19]).counted).toEqual([19]);
  expect(count(visit, [18]).counted).toEqual([]);
});

test('a number far ahead marks no other number as counted', () => {
  for (const ahead of [31, 32, 33, 64, 1_000_000_000]) {
    const { visit } = count(fresh, [1, 1 + ahead]);
    expect(visit.seqSeen).toBe(ahead === 31 ? 0x8000_0001 : 1);
    expect(count(visit, [ahead, 1 + ahead]).counted).toEqual([ahead]);
  }
});

test('for any order of numbers, the bit mask counts the same as a set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 80 }), (seqs) => {
      const seen = new Set<number>();
      const expected = seqs.filter((seq) => {
        const isKnown = seen.has(seq) || seq <= Math.max(0, ...seen) - 32;
        seen.add(seq);
        return !isKnown;
      });
      expect(count(fresh, seqs).counted).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
