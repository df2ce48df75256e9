import { CheckMigration } from '@service/database';

export class Migration20261122190004 extends CheckMigration {
  override readonly sets = [
    { table: 'activity.api_call', column: 'surface', values: ['rest', 'mcp'] },
    { table: 'activity.api_call_count', column: 'surface', values: ['rest', 'mcp'] },
  ];
}
