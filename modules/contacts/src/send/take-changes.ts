// Takes due changes of a leased lane, and composes them from the facts of this moment.
import { findAttendeesByEmail, findErased, type Attendee, type RevenueReader } from '@service/attendees';
import { findFieldTypes, type MarketingConnection, type SyncSettings } from '@service/connections';
import { column, nullable, statement, type AccountQueries, type RowsOf } from '@service/database';
import type { ContactChange } from '@service/marketing-providers';
import {
  hasParts,
  mergeParts,
  noParts,
  toContactChange,
  type ChangeParts,
  type StoredEvent,
  type StoredFields,
  type StoredSwitches,
} from '../change/change.ts';
import { consentOf, syncParts } from '../sync/sync-change.ts';

/** A row that this worker sends. */
export type TakenRow = RowsOf<typeof takeRows>;

/** The parts of a row that its change is composed from. */
export type ComposedRow = Pick<
  TakenRow,
  'contact' | 'registrationId' | 'inStep' | 'isBackfill' | 'isErasure' | keyof ChangeParts
>;

/** A change as it is sent. */
export interface TakenChange<Row extends ComposedRow = TakenRow> {
  row: Row;
  /** Undefined: it has no parts, such as that of a person whom the settings leave out. */
  change: ContactChange | undefined;
  /** The registration that the history shows it at. */
  registrationId: string | null;
}

// A contact that is in flight ($6) is not taken again: what has arrived meanwhile is its next change. $3: of a run, $4: now, $5: at most,
// $7: token. Nothing is taken for a suspended account, or without the lease.
const takeRows = statement({
  name: 'contacts.take_changes',
  text: `
    with picked as materialized (
      select p.contact from contacts.change p
      where p.account_id = $1 and p.connection_id = $2 and not p.is_taken and p.parked_at is null and p.is_backfill = $3
        and p.due_at <= $4::timestamptz and p.contact <> all($6::text[])
        and exists (select from contacts.lane l
          where l.account_id = $1 and l.connection_id = $2 and l.lease_token = $7::uuid and not l.suspended)
      order by p.due_at limit $5 for update skip locked
    )
    update contacts.change t set is_taken = true from picked
    where t.account_id = $1 and t.connection_id = $2 and not t.is_taken and t.contact = picked.contact
    returning t.contact, t.registration_id as "registrationId", t.in_step as "inStep", t.fields, t.tags, t.lists, t.events, t.causes,
      t.is_backfill as "isBackfill", t.run_id as "runId", t.is_erasure as "isErasure", t.attempts, t.first_at as "firstAt", t.last_at as "lastAt"`,
  row: {
    contact: column.text,
    registrationId: nullable(column.id),
    inStep: column.boolean,
    fields: column.json<StoredFields>(),
    tags: column.json<StoredSwitches>(),
    lists: column.json<StoredSwitches>(),
    events: column.json<readonly StoredEvent[]>(),
    causes: column.json<readonly string[]>(),
    isBackfill: column.boolean,
    runId: nullable(column.id),
    isErasure: column.boolean,
    attempts: column.integer,
    firstAt: column.time,
    lastAt: column.time,
  },
});

/** Reads which of these addresses, in lower case, the account does not write to: those people are added to no list. */
export type SuppressionReader = (
  reader: AccountQueries,
  emails: readonly string[],
) => Promise<ReadonlySet<string>>;

interface TakeOptions {
  connection: MarketingConnection;
  readRevenue: RevenueReader;
  readSuppressed: SuppressionReader;
  now: Date;
  countMax: number;
  /** Of the lease. */
  token: string;
  /** Contacts in flight. */
  without: readonly string[];
  isBackfill: boolean;
}

export async function takeChanges(reader: AccountQueries, options: TakeOptions): Promise<TakenChange[]> {
  const { connection, now, countMax, token, without, isBackfill } = options;
  if (countMax <= 0) return [];
  const rows = await reader.query(takeRows, [
    reader.accountId,
    connection.id,
    isBackfill,
    now,
    countMax,
    without,
    token,
  ]);
  return compose(reader, rows, options);
}

/** Registrations of one person that are read, the newest ones. */
const registrationsMax = 50;

/** The changes of rows from the facts of this moment, in the order of the rows. */
export async function compose<Row extends ComposedRow>(
  reader: AccountQueries,
  rows: readonly Row[],
  {
    connection,
    readRevenue,
    readSuppressed,
  }: Pick<TakeOptions, 'readRevenue' | 'readSuppressed'> & {
    connection: { id: string; settings: { sync: SyncSettings } };
  },
): Promise<TakenChange<Row>[]> {
  const emails = rows.map(({ contact }) => contact);
  const attendees = await findAttendeesByEmail(reader, emails, registrationsMax);
  const revenue =
    connection.settings.sync.fields.revenue || connection.settings.sync.tags.use.includes('purchased')
      ? await readRevenue(
          reader,
          attendees.map(({ registration }) => registration.id),
        )
      : new Map();
  const byEmail = Map.groupBy(attendees, ({ registration }) => registration.email);
  // Work that was running at the time of an erasure may have added facts since. They are dropped.
  const erased = await findErased(
    reader,
    emails.filter((email) => !byEmail.has(email)),
  );
  const drafts = rows.map((row) => {
    const own: readonly Attendee[] = byEmail.get(row.contact) ?? [];
    const person = { email: row.contact, attendees: own, revenue };
    const inStep = row.inStep ? syncParts(person, connection.settings.sync) : undefined;
    const consent = consentOf(own);
    if (row.isErasure) return { row, own, consent, parts: noParts };
    const hasFacts = inStep !== undefined || hasParts(row);
    const parts = hasFacts && !erased.has(row.contact) ? mergeParts(inStep ?? noParts, row) : undefined;
    return { row, own, consent, parts };
  });
  const agreed = drafts.filter(({ consent }) => consent?.given);
  const suppressed = await readSuppressed(
    reader,
    agreed.map(({ row }) => row.contact),
  );
  const keys = new Set(drafts.flatMap(({ parts }) => Object.keys(parts?.fields ?? {})));
  const types = await findFieldTypes(reader, connection.id, [...keys]);
  return drafts.map(({ row, own, consent, parts }) => {
    const about = {
      email: row.contact,
      consent: consent && { ...consent, given: consent.given && !suppressed.has(row.contact) },
      isBackfill: row.isBackfill,
    };
    return {
      row,
      change: parts && toContactChange(parts, about, types),
      registrationId: row.registrationId ?? own.at(-1)?.registration.id ?? null,
    };
  });
}
