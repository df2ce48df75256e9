// The outcomes of actions: of the last send for an execution, and where no send names it, of what became of its contact.
import { findRegistrants } from '@service/attendees';
import { findMarketingProviders } from '@service/connections';
import { column, nullable, statement, type AccountReader } from '@service/database';
import { sendOutcomes, type SendOutcome } from '../entities.ts';

export const contactStatuses = ['queued', ...sendOutcomes, 'connection_removed'] as const;

type ContactStatus = (typeof contactStatuses)[number];

/** After them a change is over. After the others it is tried again. */
const endedOutcomes = ['done', 'left', 'person_refused', 'skipped', 'expired'] as const;
const hasEnded: ReadonlySet<SendOutcome> = new Set(endedOutcomes);

// A contact has one change, also of several registrations, so its sends are found by its address. A change names its last causes only: the
// parts of the others are sent with the same change, so the first send that ended a change after the execution has their outcome. $2
// executions, $3 connections, $4 contacts, $5 the lowest of the execution ids: no send is older than its cause.
const selectOutcomes = statement({
  name: 'contacts.select_outcomes_of_rules',
  text: `
    select k.execution_id as "executionId", k.connection_id as "connectionId",
      named.outcome,
      (select true from contacts.change n
        where n.account_id = $1 and n.connection_id = k.connection_id and n.contact = k.contact
          and n.causes @> to_jsonb(array[k.execution_id::text]) limit 1) as "isNamed",
      (select true from contacts.change w
        where w.account_id = $1 and w.connection_id = k.connection_id and w.contact = k.contact limit 1) as "isWaiting",
      (select e.outcome from contacts.send e
        where e.account_id = $1 and e.contact = k.contact and e.id >= greatest(k.execution_id, named.id) and e.connection_id = k.connection_id
          and e.outcome in (${endedOutcomes.map((outcome) => `'${outcome}'`).join(', ')})
        order by e.id limit 1) as "endedAs"
    from unnest($2::uuid[], $3::uuid[], $4::text[]) as k (execution_id, connection_id, contact)
    left join lateral (
      select h.id, h.outcome from contacts.send h
      where h.account_id = $1 and h.contact = k.contact and h.id >= $5::uuid and h.connection_id = k.connection_id
        and h.causes @> to_jsonb(array[k.execution_id::text])
      order by h.id desc limit 1
    ) named on true`,
  row: {
    executionId: column.id,
    connectionId: column.id,
    outcome: nullable(column.textOf<SendOutcome>()),
    /** A waiting change names the execution. */
    isNamed: nullable(column.boolean),
    isWaiting: nullable(column.boolean),
    endedAs: nullable(column.textOf<SendOutcome>()),
  },
});

interface QueuedExecution {
  id: string;
  registrationId: string;
  contacts: readonly { connectionId: string }[];
}

/** The status of each action, by execution and connection. Undefined: its history is gone. */
export async function findContactOutcomes(
  reader: AccountReader,
  executions: readonly QueuedExecution[],
): Promise<(executionId: string, connectionId: string) => ContactStatus | undefined> {
  if (executions.length === 0) return () => undefined;
  const people = await findRegistrants(
    reader,
    executions.map(({ registrationId }) => registrationId),
  );
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  const connections = await findMarketingProviders(reader);
  const wanted = executions.flatMap(({ id, registrationId, contacts }) =>
    contacts.map(({ connectionId }) => ({ id, connectionId, contact: emails.get(registrationId) ?? '' })),
  );
  const rows = await reader.query(selectOutcomes, [
    reader.accountId,
    wanted.map(({ id }) => id),
    wanted.map(({ connectionId }) => connectionId),
    wanted.map(({ contact }) => contact),
    executions.map(({ id }) => id).toSorted()[0],
  ]);
  const statusOf = ({
    connectionId,
    outcome,
    isNamed,
    isWaiting,
    endedAs,
  }: (typeof rows)[number]): ContactStatus | undefined => {
    if (!connections.has(connectionId))
      return outcome !== null && hasEnded.has(outcome) ? outcome : (endedAs ?? 'connection_removed');
    if (outcome !== null && !isNamed) return endedAs ?? outcome;
    return outcome ?? (isWaiting ? 'queued' : (endedAs ?? undefined));
  };
  const statuses = new Map(rows.map((row) => [`${row.executionId} ${row.connectionId}`, statusOf(row)]));
  return (executionId, connectionId) => statuses.get(`${executionId} ${connectionId}`);
}
