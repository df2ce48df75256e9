// The mails that follow from events, sessions and registrations, queued in the transaction of their cause.
import type { AttendeeEvent, EventSubscriber, RegistrationChange } from '@service/attendees';
import type { AccountWriter } from '@service/database';
import type { SessionChange, SessionSubscriber } from '@service/webinars';
import { LRUCache } from 'lru-cache';
import { deleteTimers, putAnnouncements, revisePlans } from './plan/session-timers.ts';
import {
  maySendAgain,
  type MailDraft,
  type PlannedSession,
  queueMails,
  recipientOf,
  waitMaxMs,
  withoutExcess,
} from './queue/queue-mails.ts';

const plannedMax = 20_000;

const hourMs = 3_600_000;

interface SubscriberParts {
  /** The limit of the waiting mails of an account. */
  mailBacklogMax: number;
}

export function createMailSubscriber({
  mailBacklogMax: backlogMax,
}: SubscriberParts): EventSubscriber & SessionSubscriber & { close(): Promise<void> } {
  /** Sessions whose plan was committed. It stays until the mails after the session. */
  // `max` would reserve the memory of all entries at once.
  const planned = new LRUCache<string, true>({ maxSize: plannedMax, sizeCalculation: () => 1 });

  const unplanned = (sessions: readonly PlannedSession[]): PlannedSession[] => [
    ...new Map(
      sessions
        .filter(({ sessionId }) => !planned.has(sessionId))
        .map((session) => [session.sessionId, session]),
    ).values(),
  ];

  const queue = (
    tx: AccountWriter,
    drafts: readonly MailDraft[],
    sessions: readonly PlannedSession[],
  ): void => {
    const missing = unplanned(sessions);
    queueMails(tx, drafts, { backlogMax, sessions: missing });
    if (missing.length > 0)
      tx.afterCommit(() => {
        for (const { sessionId } of missing) planned.set(sessionId, true);
      });
  };

  return {
    // Its result needs no statement: the one that queues mails reads the settings itself.
    findInterest: async () => ({
      minutes: [],
      percents: [],
      async onEvents(tx, events) {
        const registered = events.filter(({ type }) => type === 'registered');
        const confirmed = registered.filter(({ suppressConfirmation }) => suppressConfirmation !== true);
        queue(
          tx,
          confirmed.map((event) => confirmationOf(event)),
          registered.map(({ registration, webinar }) => ({
            sessionId: registration.sessionId,
            webinarId: webinar.id,
          })),
        );
      },
    }),

    async onRegistration(tx, { registration, session, formerStartsAt }: RegistrationChange) {
      if (session.endsAt <= tx.now) return;
      const draft = {
        ...recipientOf(registration),
        sessionId: session.id,
        expiresAt: new Date(tx.now.getTime() + waitMaxMs.change),
      };
      const mail: MailDraft = formerStartsAt
        ? { ...draft, kind: 'changed', data: { formerStartsAt: formerStartsAt.toISOString() } }
        : { ...draft, kind: 'cancelled' };
      queueMails(tx, await withoutExcess(tx, [mail]), { backlogMax });
    },

    // The answer does not say whether a mail was queued, so a mail beyond the limit is left out silently.
    async onLinkRequested(tx, registration) {
      if (!(await maySendAgain(tx, { registrationId: registration.id, kind: 'confirmation' }))) return;
      const expiresAt = new Date(tx.now.getTime() + waitMaxMs.change);
      queueMails(tx, [{ ...recipientOf(registration), kind: 'confirmation', expiresAt }], { backlogMax });
    },

    async onSessions(tx, changes) {
      const of = (...kinds: SessionChange['change'][]): SessionChange[] =>
        changes.filter(({ change }) => kinds.includes(change));
      const idsOf = (some: readonly SessionChange[]): string[] => some.map(({ session }) => session.id);
      const cancelled = of('cancelled');
      revisePlans(tx, idsOf(of('moved', 'ended', 'reset')));
      deleteTimers(tx, idsOf(cancelled), ['plan', 'changed']);
      putAnnouncements(
        tx,
        [...cancelled, ...of('moved')].map(({ change, session, formerStartsAt }) => ({
          sessionId: session.id,
          webinarId: session.webinarId,
          kind: change === 'cancelled' ? 'cancelled' : 'changed',
          data: formerStartsAt ? { formerStartsAt: formerStartsAt.toISOString() } : {},
        })),
      );
      queue(
        tx,
        [],
        of('booked').map(({ session }) => ({ sessionId: session.id, webinarId: session.webinarId })),
      );
    },

    close: async () => undefined,
  };
}

function confirmationOf({ registration, session, occurredAt }: AttendeeEvent): MailDraft {
  const now = occurredAt.getTime();
  // It is of no use after the session, and of some use to those who are late.
  const expiresMs = Math.min(Math.max(session.endsAt.getTime(), now + hourMs), now + waitMaxMs.confirmation);
  return { ...recipientOf(registration), kind: 'confirmation', expiresAt: new Date(expiresMs) };
}
