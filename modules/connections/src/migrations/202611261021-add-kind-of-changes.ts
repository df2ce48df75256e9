import { closedSet, type MigrationEntry } from '@service/database';

export const migration202611261021: MigrationEntry = {
  name: '202611261021-add-kind-of-changes',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `alter table connections.connection_change add column connection_kind text not null default 'mail'`,
    },
    {
      backfill: {
        table: 'connections.connection_change',
        change: `
          update connections.connection_change c set connection_kind = 'marketing'
          from batch b where (c.account_id, c.id) = (b.account_id, b.id) and coalesce(
            (select one.kind from connections.connection one where one.account_id = c.account_id and one.id = c.connection_id) = 'marketing',
            c.provider in ('klaviyo', 'hubspot', 'mailchimp', 'activecampaign', 'kit'))`,
      },
    },
    closedSet('connections.connection_change', 'connection_kind', ['mail', 'marketing']),
  ],
};
