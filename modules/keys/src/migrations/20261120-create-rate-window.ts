import { Migration } from '@mikro-orm/migrations';

export class CreateRateWindow extends Migration {
  override up(): void {
    // Half-filled pages keep the updates of a busy account on their page and out of the index.
    this.addSql(`
      create unlogged table keys.rate_window (
        account_id uuid not null,
        started_at timestamptz(0) not null,
        used integer not null,
        constraint rate_window_pkey primary key (account_id)
      ) with (fillfactor = 50)`);
  }
}
