import { CheckMigration } from '@service/database';

export class Migration20261124190003 extends CheckMigration {
  override readonly sets = [{ table: 'deliveries.delivery', column: 'failure', values: ['backlog_full'] }];
}
