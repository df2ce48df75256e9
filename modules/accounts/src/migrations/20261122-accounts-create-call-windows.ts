import { Migration } from '@mikro-orm/migrations';

export class CreateCallWindows extends Migration {
  override up(): void {
    // Unlogged: after a crash of the database the windows start anew. Half-filled pages keep the updates of a busy row on
    // their page and out of the index.
    this.addSql(`
      create unlogged table accounts.session_window (
        session_id text not null,
        started_at timestamptz(0) not null,
        used integer not null,
        constraint session_window_pkey primary key (session_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create unlogged table accounts.account_window (
        account_id text not null,
        started_at timestamptz(0) not null,
        used integer not null,
        constraint account_window_pkey primary key (account_id)
      ) with (fillfactor = 50)`);
  }
}
