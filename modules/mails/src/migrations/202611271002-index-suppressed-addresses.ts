import type { MigrationEntry } from '@service/database';

/** A search reads only the addresses that it finds. In the order of bytes, in which a beginning is one range. */
export const migration202611271002: MigrationEntry = {
  name: '202611271002-index-suppressed-addresses',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'mails.suppression',
        name: 'suppression_address_index',
        on: '(account_id, address collate "C")',
      },
    },
    {
      index: {
        table: 'mails.suppression',
        name: 'suppression_domain_index',
        on: `(account_id, split_part(address, '@', 2) collate "C", address collate "C")`,
      },
    },
  ],
};
