import { defineEntity, p } from '@mikro-orm/postgresql';

/** Votes per poll option in a session, for live results. */
export const PollCount = defineEntity({
  name: 'PollCount',
  tableName: 'poll_count',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    interactionId: p.uuid().primary(),
    optionId: p.text().primary(),
    count: p.integer(),
  },
});
