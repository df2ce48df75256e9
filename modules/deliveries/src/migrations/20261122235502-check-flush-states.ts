import { CheckMigration } from '@service/database';

export class Migration20261122235502 extends CheckMigration {
  override readonly sets = [
    { table: 'deliveries.flush', column: 'state', values: ['running', 'done', 'cancelled'] },
  ];
}
