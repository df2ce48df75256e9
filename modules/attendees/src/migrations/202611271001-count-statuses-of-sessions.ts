import type { MigrationEntry } from '@service/database';

const statuses = ['attending', 'attended', 'no_show', 'cancelled'];

/** An array with the sum of `n` for each status. */
const changesOf = (n: string): string =>
  `array[${statuses.map((status) => `coalesce(sum(${n}) filter (where status = '${status}'), 0)`).join(', ')}]::integer[]`;

/**
 * The registrations of a session that have left the status `registered`, by status. A trigger changes the counts with each statement
 * that changes registrations, so that processes of the former version count too. No statement inserts a registration with one of these statuses.
 *
 * A session has one row for each transaction that changed it at the same time. A change takes a row that no other transaction has locked,
 * or adds one, so it never waits.
 */
export const migration202611271001: MigrationEntry = {
  name: '202611271001-count-statuses-of-sessions',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table attendees.status_count (
        account_id uuid not null,
        session_id uuid not null,
        id uuid not null default gen_random_uuid(),
        attending integer not null,
        attended integer not null,
        no_show integer not null,
        cancelled integer not null,
        constraint status_count_pkey primary key (account_id, session_id, id)
      ) with (fillfactor = 50);
      create function attendees.add_to_status_count(account uuid, session uuid, changes integer[]) returns void
      language plpgsql as $$
      begin
        -- Materialized, so that it is not run again for each row of the join and finds another one.
        with free as materialized (
          select f.id from attendees.status_count f where f.account_id = account and f.session_id = session
          limit 1 for no key update skip locked
        )
        update attendees.status_count c set attending = c.attending + changes[1], attended = c.attended + changes[2],
          no_show = c.no_show + changes[3], cancelled = c.cancelled + changes[4]
        from free where c.account_id = account and c.session_id = session and c.id = free.id;
        if not found then
          insert into attendees.status_count (account_id, session_id, attending, attended, no_show, cancelled)
          values (account, session, changes[1], changes[2], changes[3], changes[4]);
        end if;
      end $$;
      create function attendees.count_statuses() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          if not exists (select from later) then
            return null;
          end if;
          perform attendees.add_to_status_count(s.account_id, s.session_id, s.changes) from (
            select account_id, session_id, ${changesOf('n')} as changes from (
              select account_id, session_id, status, 1 as n from later
              union all
              select account_id, session_id, status, -1 from former
            ) versions
            group by account_id, session_id
          ) s where s.changes <> '{0,0,0,0}';
        else
          perform attendees.add_to_status_count(s.account_id, s.session_id, s.changes) from (
            select account_id, session_id, ${changesOf('-1')} as changes from former group by account_id, session_id
          ) s where s.changes <> '{0,0,0,0}';
        end if;
        return null;
      end $$;
      create trigger registration_status_update after update on attendees.registration
        referencing old table as former new table as later for each statement execute function attendees.count_statuses();
      create trigger registration_status_delete after delete on attendees.registration
        referencing old table as former for each statement execute function attendees.count_statuses()`,
    },
    {
      backfill: {
        table: 'webinars.session',
        // Counts the registrations and the rows of the trigger at one moment, and adds the difference.
        change: `
          insert into attendees.status_count (account_id, session_id, ${statuses.join(', ')})
          select b.account_id, b.id, ${statuses.map((status) => `r.${status} - c.${status}`).join(', ')}
          from batch b
          cross join lateral (
            select ${statuses.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')}
            from attendees.registration n where n.account_id = b.account_id and n.session_id = b.id
          ) r
          cross join lateral (
            select ${statuses.map((status) => `coalesce(sum(${status}), 0) as ${status}`).join(', ')}
            from attendees.status_count t where t.account_id = b.account_id and t.session_id = b.id
          ) c
          where (${statuses.map((status) => `r.${status} - c.${status}`).join(', ')}) <> (0, 0, 0, 0)`,
      },
    },
  ],
};
