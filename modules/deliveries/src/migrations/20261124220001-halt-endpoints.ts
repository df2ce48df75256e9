import { CheckMigration } from '@service/database';

export class Migration20261124220001 extends CheckMigration {
  override readonly sets = [
    {
      table: 'deliveries.endpoint_health',
      column: 'state',
      values: ['failing', 'paused', 'draining', 'halted'],
    },
  ];
}
