import { setTimeout as delay } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { idAt, idTime, startOfPeriod } from '@service/database';

const events = 'webinars.attendee_event';
const copyBehindMs = 86_400_000;
const lockTriesMax = 200;
const lockPauseMs = 150;

/**
 * Daily partitions of events become monthly ones, in one transaction. Days that have ended are copied first, while events are
 * read and written as ever. Then the table is locked for the rest: the days since yesterday are copied, and partitions change
 * places. Rows that were written to an ended day meanwhile are found by its count and copied under the lock.
 */
export class MonthsOfEvents extends Migration {
  override async up(): Promise<void> {
    await this.execute('set local statement_timeout = 0');
    const days = await this.findDays();
    const months = await this.createMonths(days);
    const [{ now }] = (await this.execute('select clock_timestamp() as now')) as [{ now: string | Date }];
    const ended = idAt(startOfPeriod('day', new Date(new Date(now).getTime() - copyBehindMs)));
    for (const day of days.filter(({ to }) => to <= ended)) await this.copy(day);
    await this.lockTable();
    for (const day of days) if (!(await this.isCopied(day))) await this.copy(day);
    for (const { name } of days) {
      await this.execute(`alter table ${events} detach partition webinars.${name}`);
      await this.execute(`drop table webinars.${name}`);
    }
    for (const month of months) await this.attach(month);
  }

  private async findDays(): Promise<Day[]> {
    const rows = (await this.execute(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${events}'::regclass and c.relname ~ '^attendee_event_[0-9]{8}$' order by 1`,
    )) as { name: string; bounds: string }[];
    return rows.map(({ name, bounds }) => {
      const [from, to] = bounds.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) as [string, string];
      return { name, from, to, month: nameOfMonth(idTime(from)) };
    });
  }

  /** One for each month that has daily partitions. Rows of other months stay in the default partition until the worker comes. */
  private async createMonths(days: readonly Day[]): Promise<Month[]> {
    const starts = new Map(days.map(({ month, from }) => [month, startOfPeriod('month', idTime(from))]));
    const months = [...starts].map(([name, start]) => ({
      name,
      from: idAt(start),
      to: idAt(startOfPeriod('month', start, 1)),
    }));
    for (const { name, from, to } of months) {
      // The check lets Postgres attach the table without reading it.
      await this.execute(
        `create table webinars.${name}
         (like ${events} including all, constraint of_month check (id >= '${from}' and id < '${to}'))`,
      );
    }
    return months;
  }

  private async copy({ name, month }: Day): Promise<void> {
    await this.execute(
      `insert into webinars.${month} select * from webinars.${name} on conflict (account_id, id) do nothing`,
    );
  }

  private async isCopied({ name, month, from, to }: Day): Promise<boolean> {
    const rows = (await this.execute(
      `select (select count(*) from webinars.${name}) =
         (select count(*) from webinars.${month} where id >= '${from}' and id < '${to}') as copied`,
    )) as { copied: boolean }[];
    return rows[0]!.copied;
  }

  /** Retries the lock with a short timeout, so that other transactions do not wait behind this one while a long read runs. */
  private async lockTable(): Promise<void> {
    await this.execute(`set local lock_timeout = '100ms'`);
    for (let tries = 1; ; tries += 1) {
      await this.execute('savepoint before_lock');
      try {
        await this.execute(`lock table ${events} in access exclusive mode`);
        break;
      } catch (error) {
        await this.execute('rollback to savepoint before_lock');
        if (tries === lockTriesMax) throw error;
      }
      await delay(lockPauseMs);
    }
    await this.execute('set local lock_timeout = 0');
  }

  /** Also takes rows of the default partition for days without a partition. */
  private async attach({ name, from, to }: Month): Promise<void> {
    await this.execute(
      `with moved as (delete from ${events}_default where id >= '${from}' and id < '${to}' returning *)
       insert into webinars.${name} select * from moved`,
    );
    await this.execute(
      `alter table ${events} attach partition webinars.${name} for values from ('${from}') to ('${to}')`,
    );
    await this.execute(`alter table webinars.${name} drop constraint of_month`);
  }
}

/** A daily partition: its bounds, and the monthly one that takes its rows. */
interface Day {
  name: string;
  from: string;
  to: string;
  month: string;
}

interface Month {
  name: string;
  from: string;
  to: string;
}

const nameOfMonth = (day: Date): string => `attendee_event_${day.toISOString().slice(0, 7).replace('-', '')}`;
