import { defineEntity, p } from '@mikro-orm/postgresql';

/** How many requests an account made in the current window. Unlogged: after a crash of the database it starts anew. */
export const RateWindow = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_window',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
    startedAt: p.datetime(0),
    used: p.integer(),
  },
});
