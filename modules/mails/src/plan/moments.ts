// The moments at which the mails of a session are due. Pure.
import type { Session } from '@service/webinars';
import type { WebinarMails } from '../content/webinar-mails.ts';

export type Moment = { at: Date; expiresAt: Date } & (
  | { kind: 'reminder'; minutes: number }
  /** `missed` or `thank_you`, by the attendance of each person. */
  | { kind: 'after_session' }
);

type Timed = Pick<Session, 'kind' | 'status' | 'startsAt' | 'endsAt' | 'actualEndedAt'>;

const minuteMs = 60_000;

/** A no-show is decided ten minutes after the end by default. */
const afterSessionMinutes = 15;
const afterSessionMaxMs = 72 * 60 * minuteMs;

/** A mail at the start still helps somebody who is late. */
const reminderMaxMinutes = { before: 10, atStart: 30 };

const later = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * minuteMs);

/** The moments of a session in their order. The end is known when the session has ended. */
export function momentsOf(session: Timed, settings: WebinarMails): Moment[] {
  if (!settings.enabled || session.status === 'cancelled') return [];
  return [...remindersOf(session, settings), ...afterSession(session)].toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
}

/** An on-demand session begins with the registration. */
const remindersOf = ({ kind, startsAt }: Timed, { reminders }: WebinarMails): Moment[] =>
  kind === 'on_demand'
    ? []
    : reminders
        .filter(({ enabled }) => enabled)
        .map(({ minutesBefore }) => ({
          kind: 'reminder',
          minutes: minutesBefore,
          at: later(startsAt, -minutesBefore),
          expiresAt: later(
            startsAt,
            minutesBefore > 0 ? reminderMaxMinutes.before : reminderMaxMinutes.atStart,
          ),
        }));

function afterSession({ status, actualEndedAt, endsAt }: Timed): Moment[] {
  if (status !== 'ended') return [];
  const at = later(actualEndedAt ?? endsAt, afterSessionMinutes);
  return [{ kind: 'after_session', at, expiresAt: new Date(at.getTime() + afterSessionMaxMs) }];
}

export type Step =
  | { kind: 'queue'; moment: Moment }
  /** Moments up to this time have passed. */
  | { kind: 'skip'; until: Date }
  | { kind: 'wait'; until: Date }
  | { kind: 'done' };

/** The next action of a plan. `doneUntil`: the last moment that was handled. */
export function nextStep(
  session: Timed,
  settings: WebinarMails,
  { doneUntil, dueBy }: { doneUntil: Date | null; dueBy: Date },
): Step {
  const moment = momentsOf(session, settings).find(({ at }) => doneUntil === null || at > doneUntil);
  if (moment && moment.expiresAt <= dueBy) return { kind: 'skip', until: moment.at };
  if (moment) return moment.at <= dueBy ? { kind: 'queue', moment } : { kind: 'wait', until: moment.at };
  if (session.status === 'ended' || session.status === 'cancelled') return { kind: 'done' };
  // The end of a session that a call controls is announced. The time is for one whose announcement found no plan.
  const expected = later(session.endsAt, afterSessionMinutes);
  return { kind: 'wait', until: expected > dueBy ? expected : later(dueBy, 60) };
}
