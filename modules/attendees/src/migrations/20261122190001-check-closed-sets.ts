import { CheckMigration } from '@service/database';

export class Migration20261122190001 extends CheckMigration {
  override readonly sets = [
    {
      table: 'attendees.registration',
      column: 'source',
      values: ['page', 'api', 'bulk', 'mcp', 'dashboard'],
    },
    {
      table: 'attendees.registration',
      column: 'status',
      values: ['registered', 'attending', 'attended', 'no_show', 'cancelled'],
    },
  ];
}
