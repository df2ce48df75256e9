// The part of this module in erasures: the history of the contact, and a change that erases it in each tool that can.
import { findEmailBefore } from '@service/attendees';
import { findMarketingProviders } from '@service/connections';
import { column, statement, type AccountWriter } from '@service/database';
import type { ErasePerson } from '@service/module';
import { noParts } from '../change/change.ts';
import { queueChanges } from '../change/queue-changes.ts';

const sendsMax = 1000;

// $3: at most.
const deleteSends = statement({
  name: 'contacts.delete_sends_of_person',
  text: `
    with found as materialized (
      select f.id from contacts.send f where f.account_id = $1 and f.contact = $2 limit $3
    ), sent as (
      delete from contacts.send_values v using found where v.account_id = $1 and v.id = found.id
    ), gone as (
      delete from contacts.send s using found where s.account_id = $1 and s.id = found.id returning s.id
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

const selectRuns = statement({
  name: 'contacts.select_runs_at_person',
  text: `
    select id from contacts.run where account_id = $1 and status = 'running' and after_contact = $2 for update`,
  row: { id: column.id },
});

const moveRuns = statement({
  name: 'contacts.move_runs',
  text: 'update contacts.run set after_contact = $3 where account_id = $1 and id = any($2::uuid[])',
});

/** The waiting changes of the person become their erasure, which is sent in their place. */
export const eraseContact: ErasePerson = async (tx, person, cursor) => {
  const { query, accountId } = tx;
  if (cursor === null && !person.isRepetition) {
    const connections = await findMarketingProviders(tx);
    queueChanges(
      tx,
      [...connections.keys()].map((connectionId) => ({
        connectionId,
        email: person.email,
        registrationId: null,
        inStep: false,
        parts: noParts,
        causes: [person.erasureId],
        isErasure: true,
      })),
    );
  }
  await takeRunsBack(tx, person.email);
  const [gone] = await query(deleteSends, [accountId, person.email, sendsMax]);
  return gone!.count === sendsMax ? 'sends' : null;
};

/** A running run may have stopped at this address. It continues from the address before it, so it skips no person. */
async function takeRunsBack(tx: AccountWriter, email: string): Promise<void> {
  const { query, accountId } = tx;
  const runs = await query(selectRuns, [accountId, email]);
  if (runs.length === 0) return;
  await query(moveRuns, [accountId, runs.map(({ id }) => id), await findEmailBefore(tx, email)]);
}
