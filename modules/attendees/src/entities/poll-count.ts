import { defineEntity, p } from '@mikro-orm/postgresql';

/** How often an option of a poll was chosen in a session: results are shown to a room while it is answering. */
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
