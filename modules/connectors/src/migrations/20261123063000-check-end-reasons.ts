import { CheckMigration } from '@service/database';

/** Adds `denied` and `replaced`. */
export class Migration20261123063000 extends CheckMigration {
  override readonly sets = [
    {
      table: 'connectors.grant',
      column: 'end_reason',
      values: ['denied', 'revoked', 'replaced', 'member_removed', 'code_reused', 'refresh_token_reused'],
    },
  ];
}
