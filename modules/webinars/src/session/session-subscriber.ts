import type { AccountWriter } from '@service/database';
import type { Session } from '../entities/session.ts';

/**
 * A session that was moved, has ended, was cancelled, was reset to before its start, or that a registration of another session was
 * moved to (`booked`).
 */
export interface SessionChange {
  change: 'moved' | 'ended' | 'cancelled' | 'reset' | 'booked';
  session: Session;
}

/** Another module's code that is called when sessions change. The composition passes in automations'. */
export interface SessionSubscriber {
  /** Called inside the transaction that changed the sessions, all of one account. */
  onSessions(tx: AccountWriter, changes: readonly SessionChange[]): Promise<void>;
}

/** Called when a call changes a session. */
export interface SessionObservers {
  subscriber: SessionSubscriber;
  /** Called after the commit, so that attendees in the room see the change at once. Must not throw. */
  announce: (accountId: string, sessionId: string) => void;
}
