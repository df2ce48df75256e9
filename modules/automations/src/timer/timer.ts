import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AttendeeEventType } from '@service/attendees';

/**
 * A rule that is to be evaluated at a moment: before or after a session for all who are registered for it, or some time after
 * an event for the one it happened to.
 */
export const Timer = defineEntity({
  name: 'Timer',
  tableName: 'timer',
  schema: 'automations',
  uniques: [
    {
      name: 'timer_unique',
      expression: `alter table automations.timer add constraint timer_unique
        unique nulls not distinct (account_id, rule_id, session_id, registration_id)`,
    },
  ],
  indexes: [
    { name: 'timer_due_index', properties: ['dueAt'] },
    { name: 'timer_session_index', properties: ['accountId', 'sessionId'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    ruleId: p.uuid(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    /** Null: everybody who is registered for the session. */
    registrationId: p.uuid().nullable(),
    dueAt: p.datetime(3),
    /** What started the clock; only of time_elapsed_after_event. */
    sourceEvent: p.text().$type<AttendeeEventType>().nullable(),
    /** When that was, or when the session ended; null before a session, and of one that came due and is only kept. */
    sourceAt: p.datetime(3).nullable(),
    /** How far a session's registrants have been gone through. */
    afterRegistrationId: p.uuid().nullable(),
  },
});

export type Timer = InferEntity<typeof Timer>;
