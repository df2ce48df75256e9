import { accountWriter, column, type Database, statement, type Transaction } from '@service/database';
import { acceptsEvents, loadSessions, loadWebinars, type Session, type Webinar } from '@service/webinars';
import { factsOfAttendance, type Presence, presenceRow } from '../entities/attendance.ts';
import { checkDeparture } from '../attendance/departure.ts';
import { type Registration, registrationRow } from '../entities/registration.ts';
import type { EventInterest } from '../event/event-subscriber.ts';
import { type EventDraft, publishEvents } from '../event/publish-events.ts';
import { attempt, type Batch, inBatches, type Round } from './round.ts';

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

/** An attendee who was in the room at the last check. */
interface Attendee {
  attendance: Presence;
  registration: Registration;
  session: Session;
  webinar: Webinar;
}

interface Leaver extends Attendee {
  left: EventDraft;
}

/**
 * Checks the presence of attendees whose rows this transaction has locked, and publishes `left`. Returns the number of those who
 * left.
 */
async function recordDepartures(
  tx: Transaction,
  { now, subscriber }: Round,
  attendances: readonly Presence[],
): Promise<number> {
  if (attendances.length === 0) return 0;
  const attendees = await describe(tx, attendances);
  const checked = attendees.map((attendee) => ({
    ...attendee,
    ...checkDeparture(attendee.attendance, { session: attendee.session, now }),
  }));
  const leavers = checked.filter((one): one is typeof one & Leaver => one.left !== undefined);
  const published = leavers.filter(
    ({ webinar, registration }) => acceptsEvents(webinar) && registration.status !== 'cancelled',
  );
  const groups = await Promise.all(
    [...Map.groupBy(published, ({ webinar }) => webinar.id)].map(async ([webinarId, own]) => {
      const writer = accountWriter(tx, { accountId: own[0]!.webinar.accountId, now });
      return { own, writer, interest: await subscriber.findInterest(writer, webinarId, 'left') };
    }),
  );
  await write(tx, checked, leavers);
  for (const { own, writer, interest } of groups) await publish(writer, own, interest);
  return leavers.length;
}

async function describe({ query }: Transaction, attendances: readonly Presence[]): Promise<Attendee[]> {
  const keysOf = (idOf: (attendance: Presence) => string) =>
    new Map(attendances.map((one) => [idOf(one), { id: idOf(one), accountId: one.accountId }])).values();
  const sessionKeys = keysOf(({ sessionId }) => sessionId);
  const webinarKeys = keysOf(({ webinarId }) => webinarId);
  const [rows, sessions, webinars] = await Promise.all([
    query(lockRegistrations, [
      attendances.map(({ accountId }) => accountId),
      attendances.map(({ registrationId }) => registrationId),
    ]),
    loadSessions(query, [...sessionKeys]),
    loadWebinars(query, [...webinarKeys]),
  ]);
  const registrations = new Map(rows.map((row) => [row.id, registrationRow.toEntity(row)]));
  return attendances.map((attendance) => ({
    attendance,
    registration: registrations.get(attendance.registrationId)!,
    session: sessions.get(attendance.sessionId)!,
    webinar: webinars.get(attendance.webinarId)!,
  }));
}

async function write(
  { query }: Transaction,
  checked: readonly Attendee[],
  leavers: readonly Leaver[],
): Promise<void> {
  const attendances = checked.map(({ attendance }) => attendance);
  const attended = leavers.filter(isAttending).map(({ registration }) => registration);
  await Promise.all([
    query(updateAttendances, [
      attendances.map(({ accountId }) => accountId),
      attendances.map(({ registrationId }) => registrationId),
      attendances.map(({ checkAt }) => checkAt),
      attendances.map(({ leavingAt }) => leavingAt),
      attendances.map(({ leftAt }) => leftAt),
    ]),
    attended.length > 0 &&
      query(markAttended, [
        attended.map((registration) => registration.accountId),
        attended.map((registration) => registration.id),
      ]),
  ]);
}

const isAttending = ({ registration }: Attendee): boolean => registration.status === 'attending';

const publish = (
  writer: Parameters<typeof publishEvents>[0],
  leavers: readonly Leaver[],
  interest: EventInterest,
): Promise<void> =>
  publishEvents(
    writer,
    leavers.map(({ left, ...leaver }) => ({
      ...left,
      webinar: leaver.webinar,
      registration: isAttending(leaver)
        ? { ...leaver.registration, status: 'attended' as const }
        : leaver.registration,
      session: leaver.session,
      facts: factsOfAttendance(leaver.attendance),
    })),
    interest,
  );

// Statements of the presence sweep. They leave out `watched`, the largest column of an attendance.

const presenceColumns = Object.keys(presenceRow.columns).join(', ');

/** $1 now, $2 limit. Skips rows that a heartbeat or another worker has locked. */
const lockDue = statement({
  name: 'attendees.lock_due_attendances',
  text: `
    select ${presenceColumns} from attendees.attendance where check_at <= $1
    order by check_at limit $2 for no key update skip locked`,
  allAccounts: 'The presence sweep serves every account.',
  row: presenceRow.columns,
});

/** Like lockDue, without locks and only with the keys. */
const selectDue = statement({
  name: 'attendees.select_due_attendances',
  text: `
    select account_id, registration_id, webinar_id from attendees.attendance where check_at <= $1
    order by check_at limit $2`,
  allAccounts: 'The presence sweep serves every account.',
  row: { account_id: column.id, registration_id: column.id, webinar_id: column.id },
});

/** $1 account, $2 registrations, $3 now. */
const lockThese = statement({
  name: 'attendees.lock_these_attendances',
  text: `
    select ${presenceColumns} from attendees.attendance
    where account_id = $1 and registration_id = any($2::uuid[]) and check_at <= $3
    for no key update skip locked`,
  row: presenceRow.columns,
});

/** $1 account, $2 registrations, $3 the time of the next check. */
const putOff = statement({
  name: 'attendees.put_off_attendances',
  text: `
    update attendees.attendance set check_at = $3
    where account_id = $1 and registration_id = any($2::uuid[]) and check_at < $3`,
});

const keyList = 'unnest($1::uuid[], $2::uuid[]) as k (account_id, id)';

/** Locks in the same order as registering does, against deadlocks. */
const lockRegistrations = statement({
  name: 'attendees.lock_swept_registrations',
  text: `
    select r.* from ${keyList} join attendees.registration r using (account_id, id)
    order by r.session_id, r.email for no key update of r`,
  row: registrationRow.columns,
});

/** $1 accounts, $2 registrations, $3 to $5 the new values. */
const updateAttendances = statement({
  name: 'attendees.update_swept_attendances',
  text: `
    update attendees.attendance a set check_at = n.check_at, leaving_at = n.leaving_at, left_at = n.left_at
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
      as n (account_id, registration_id, check_at, leaving_at, left_at)
    where a.account_id = n.account_id and a.registration_id = n.registration_id`,
});

/** For registrations that this transaction has locked. */
const markAttended = statement({
  name: 'attendees.mark_attended',
  text: `
    update attendees.registration r set status = 'attended' from ${keyList}
    where r.account_id = k.account_id and r.id = k.id`,
});
