import { Migration } from '@mikro-orm/migrations';

/** The attribution window of a workspace, runs that derive credits again, and purchases whose attribution is tried again. */
export class Migration20261123000500 extends Migration {
  override up(): void {
    this.addSql(`
      create table revenue.setting (
        account_id uuid not null,
        window_days integer not null,
        changed_at timestamptz(3) not null,
        constraint setting_pkey primary key (account_id),
        constraint setting_window_days_check check (window_days in (1, 7, 14, 30, 60, 90))
      )`);
    this.addSql(`
      create table revenue.credit_run (
        account_id uuid not null,
        id uuid not null,
        state text not null,
        total integer not null,
        checked integer not null default 0,
        moved integer not null default 0,
        cursor uuid not null,
        until uuid not null,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        constraint credit_run_pkey primary key (account_id),
        constraint credit_run_state_check check (state in ('running', 'done'))
      )`);
    this.addSql(
      `create index credit_run_running_index on revenue.credit_run (started_at) where state = 'running'`,
    );
    this.addSql(`
      create table revenue.credit_retry (
        account_id uuid not null,
        payment_id uuid not null,
        next_at timestamptz(3) not null,
        tries integer not null default 0,
        until timestamptz(3) not null,
        constraint credit_retry_pkey primary key (account_id, payment_id)
      )`);
    this.addSql(`create index credit_retry_next_index on revenue.credit_retry (next_at)`);
  }
}
