import { defineEntity, p } from '@mikro-orm/postgresql';

/** An account for which nothing is sent. Its row stays for a while after it is resumed, until what was parked has been released. */
export const SuspendedAccount = defineEntity({
  name: 'DeliveriesSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'deliveries',
  properties: {
    accountId: p.uuid().primary(),
    /** Null while it is suspended. */
    resumedAt: p.datetime(3).nullable(),
  },
});
