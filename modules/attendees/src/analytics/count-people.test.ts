import { expect, test } from 'vitest';
import { countPeopleOf } from './count-people.ts';

const page = { sessions: [], sources: [], seen: [], clicked: [], answered: [], answers: [], viewers: [] };

/** A database with so many registrations. Their ids are numbers, the newest is the highest. */
function createReader(registrations: number) {
  const reads: unknown[][] = [];
  let left = registrations;
  const query = async (_statement: unknown, values: readonly unknown[]) => {
    reads.push([...values]);
    const rowCount = Math.min(left, values[3] as number);
    left -= rowCount;
    return [{ rowCount, lastId: rowCount === 0 ? null : String(left), buyers: [], page }];
  };
  return { reads, reader: { accountId: 'account', query: query as never } };
}

const options = {
  of: 'webinar',
  id: 'webinar',
  curve: { stepSeconds: 10, count: 1 },
  readRevenue: undefined,
} as const;

test('a result reads at most 5,000 registrations at once and 100,000 in all, and says when it did not read all', async () => {
  const small = createReader(12_000);
  expect(await countPeopleOf(small.reader, options)).toMatchObject({ counted: 12_000, isComplete: true });
  expect(small.reads.map(([, , before, limit]) => [before, limit])).toEqual([
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 5000],
    ['7000', 5000],
    ['2000', 5000],
  ]);
  const large = createReader(250_000);
  expect(await countPeopleOf(large.reader, options)).toMatchObject({ counted: 100_000, isComplete: false });
  expect(large.reads).toHaveLength(20);
});
