import type { Database } from '@service/database';
import { presenceRow } from '../entities/attendance.ts';
import { lockDue, lockThese, putOff, selectDue } from './departures.sql.ts';
import { attempt, inBatches, type Batch, type Round } from './round.ts';
import { recordDepartures } from './record-departures.ts';

const batchMax = 500;
const putOffMs = 60_000;

/** Checks the presence of all attendees whose check is due. Returns the number of those who left. */
export async function sweepDepartures(database: Database, round: Round): Promise<number> {
  let left = 0;
  await inBatches(round, async () => {
    const batch = await sweepTogether(database, round).catch(() => sweepApart(database, round));
    left += batch.left;
    return batch;
  });
  return left;
}

interface Sweep extends Batch {
  left: number;
}

const sweepTogether = (database: Database, round: Round): Promise<Sweep> =>
  database.transaction(async (tx) => {
    const rows = await tx.query(lockDue, [round.now, batchMax]);
    const left = await recordDepartures(tx, round, rows.map(presenceRow.toEntity));
    return { done: rows.length, isFull: rows.length === batchMax, left };
  });

/** Checks each webinar in its own transaction, after the common one failed. A webinar that fails is tried again a minute later. */
async function sweepApart(database: Database, round: Round): Promise<Sweep> {
  const due = await database.query(selectDue, [round.now, batchMax]);
  let left = 0;
  for (const own of Map.groupBy(due, (row) => row.webinar_id).values()) {
    const keys = [own[0]!.account_id, own.map((row) => row.registration_id)];
    const leftHere = await attempt(round, () =>
      database.transaction(async (tx) => {
        const rows = await tx.query(lockThese, [...keys, round.now]);
        return recordDepartures(tx, round, rows.map(presenceRow.toEntity));
      }),
    );
    if (leftHere === undefined)
      await database.query(putOff, [...keys, new Date(round.now.getTime() + putOffMs)]);
    left += leftHere ?? 0;
  }
  return { done: due.length, isFull: due.length === batchMax, left };
}
