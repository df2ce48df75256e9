import { hasAttended, listRoster, type Attendee } from '@service/attendees';
import {
  accountWriter,
  column,
  isFirstDue,
  statement,
  type AccountWriter,
  type Database,
} from '@service/database';
import { keysIn, loadSessions, type Session } from '@service/webinars';
import { type MailDraft, queueMails, recipientOf, waitMaxMs, withoutExcess } from '../queue/queue-mails.ts';
import { findSettings } from '../settings-store.ts';
import { type Moment, nextStep } from './moments.ts';
import { deleteTimers, lockDueTimer, type LockedTimer, type TimerKey, writeTimer } from './session-timers.ts';

interface FireOptions {
  now: Date;
  signal: AbortSignal;
  /** The limit of the waiting mails of an account. */
  backlogMax: number;
  /** One timer failed. It stays due, and the others fire. */
  onFailure: (error: unknown) => void;
}

/** A registration at the last moment is committed by then. */
const marginMs = 1000;

/** Registrations of one transaction. */
const chunkMax = 1000;
const timersMax = 2000;
const parallelMax = 4;
/** After this time the rest of large sessions is left to the next call. */
const continueMs = 5000;

/** Queues the mails of every session that has a moment now. Any number of workers may do so at once. */
export async function fireSessionTimers(
  database: Pick<Database, 'query' | 'transaction'>,
  { now, signal, backlogMax, onFailure }: FireOptions,
): Promise<void> {
  const dueBy = new Date(now.getTime() - marginMs);
  const continueUntil = performance.now() + continueMs;
  const queue = await database.query(selectDue, [dueBy, timersMax]);
  const fireFromQueue = async (): Promise<void> => {
    for (let due = queue.shift(); due && !signal.aborted; due = queue.shift()) {
      const { accountId, ...key } = due;
      try {
        const hasMore = await database.transaction((tx) =>
          fireTimer(accountWriter(tx, { accountId, now }), key, { dueBy, backlogMax }),
        );
        if (hasMore && performance.now() < continueUntil) queue.push(due);
      } catch (error) {
        onFailure(error);
      }
    }
  };
  await Promise.all(Array.from({ length: parallelMax }, fireFromQueue));
}

export const hasDueSessionTimer = isFirstDue({ table: 'mails.session_timer', time: 'due_at' });

const selectDue = statement({
  name: 'mails.select_due_session_timers',
  text: `
    select account_id as "accountId", session_id as "sessionId", kind from mails.session_timer
    where due_at <= $1 order by due_at limit $2`,
  allAccounts: 'Timers of every account fire in the order of their times.',
  row: { accountId: column.id, sessionId: column.id, kind: column.textOf<TimerKey['kind']>() },
});

interface Round {
  dueBy: Date;
  backlogMax: number;
}

/** Returns true if the timer may have more to do now. */
async function fireTimer(tx: AccountWriter, key: TimerKey, round: Round): Promise<boolean> {
  const timer = await lockDueTimer(tx, key, round.dueBy);
  if (!timer) return false;
  const sessions = await loadSessions(tx.query, keysIn(tx.accountId, [timer.sessionId]));
  const session = sessions.get(timer.sessionId);
  if (!session) {
    deleteTimers(tx, [timer.sessionId], [timer.kind]);
    return false;
  }
  return timer.kind === 'plan'
    ? firePlan(tx, timer, { session, ...round })
    : fireAnnouncement(tx, timer, { session, ...round });
}

async function firePlan(
  tx: AccountWriter,
  timer: LockedTimer,
  { session, dueBy, backlogMax }: Round & { session: Session },
): Promise<boolean> {
  const settings = await findSettings(tx, timer.webinarId);
  const step = nextStep(session, settings, { doneUntil: timer.doneUntil, dueBy });
  if (step.kind === 'done') {
    deleteTimers(tx, [session.id], ['plan']);
    return false;
  }
  if (step.kind === 'wait') {
    writeTimer(tx, timer, step.until);
    return false;
  }
  if (step.kind === 'skip') {
    writeTimer(tx, { ...timer, doneUntil: step.until, afterRegistrationId: null });
    return true;
  }
  const { moment } = step;
  const last = await queueForRoster(tx, timer, {
    backlogMax,
    toDraft: (attendee) => draftOf(attendee, moment),
  });
  if (last === undefined) writeTimer(tx, { ...timer, doneUntil: moment.at, afterRegistrationId: null });
  else writeTimer(tx, { ...timer, afterRegistrationId: last });
  return true;
}

/** A registration that was made after the moment gets no mail of it. */
function draftOf(attendee: Attendee, moment: Moment): MailDraft | undefined {
  const { registration } = attendee;
  if (registration.registeredAt >= moment.at) return undefined;
  const { expiresAt } = moment;
  if (moment.kind === 'reminder')
    return { ...recipientOf(registration), kind: 'reminder', minutes: moment.minutes, expiresAt };
  return { ...recipientOf(registration), kind: hasAttended(attendee) ? 'thank_you' : 'missed', expiresAt };
}

async function fireAnnouncement(
  tx: AccountWriter,
  timer: LockedTimer,
  { session, backlogMax }: Round & { session: Session },
): Promise<boolean> {
  const { kind, data } = timer;
  const expiresAt = new Date(tx.now.getTime() + waitMaxMs.change);
  const last = await queueForRoster(tx, timer, {
    backlogMax,
    toDraft: ({ registration }) =>
      kind === 'plan' ? undefined : { ...recipientOf(registration), kind, data, expiresAt },
  });
  if (last === undefined) deleteTimers(tx, [session.id], [kind]);
  else writeTimer(tx, { ...timer, afterRegistrationId: last });
  return last !== undefined;
}

/** Queues mails for the next registrations. Returns the last of them; undefined if there are no more. */
async function queueForRoster(
  tx: AccountWriter,
  { sessionId, afterRegistrationId }: LockedTimer,
  { toDraft, backlogMax }: { toDraft: (attendee: Attendee) => MailDraft | undefined; backlogMax: number },
): Promise<string | undefined> {
  const attendees = await listRoster(tx, {
    sessionId,
    after: afterRegistrationId ?? undefined,
    limit: chunkMax,
  });
  const present = attendees.filter(({ registration }) => registration.status !== 'cancelled');
  const drafts = present.flatMap((attendee) => toDraft(attendee) ?? []);
  queueMails(tx, await withoutExcess(tx, drafts), { backlogMax });
  return attendees.length === chunkMax ? attendees.at(-1)!.registration.id : undefined;
}
