import type { MigrationEntry } from '@service/database';

export const migration202611261100: MigrationEntry = {
  name: '202611261100-add-erasure-address-index',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'attendees.erasure',
        name: 'erasure_address_index',
        on: '(account_id, address_hash)',
      },
    },
  ],
};
