import type { MigrationEntry } from '@service/database';

/** The endpoints of a deleted workspace are found by their account. */
export const migration202611261544: MigrationEntry = {
  name: '202611261544-index-endpoints-by-account',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    { index: { table: 'deliveries.endpoint', name: 'endpoint_account_index', on: '(account_id)' } },
    {
      index: {
        table: 'deliveries.endpoint_health',
        name: 'endpoint_health_account_index',
        on: '(account_id)',
      },
    },
    {
      index: {
        table: 'deliveries.endpoint_notice',
        name: 'endpoint_notice_account_index',
        on: '(account_id)',
      },
    },
  ],
};
