// The statements that admit a batch of requests: they find the credentials, count the requests of each account in its window and
// read the database's time.
import type { Scope, Surface } from '@service/catalogue';
import { column, nullable, statement, type RowWith, type Statement } from '@service/database';
import type { CreatorColumns } from './entities.ts';

const admittedRow = {
  number: column.digits,
  account_id: column.id,
  id: column.id,
  label: column.text,
  scopes: column.textsOf<Scope>(),
  surfaces: column.textsOf<Surface>(),
  createdByKind: column.textOf<CreatorColumns['createdByKind']>(),
  createdById: nullable(column.id),
  createdByName: nullable(column.text),
  expires_at: nullable(column.time),
  is_suspended: column.boolean,
  now_ms: column.float,
  resets_at: column.float,
  seconds_left: column.float,
  // The position of the request in its window, from 1.
  place: column.digits,
};

export type AdmittedRow = RowWith<typeof admittedRow>;

export interface AdmissionStatements {
  /** $1 hashes, $2 surfaces, $3 scopes separated by spaces, $4 the limit, $5 the seconds of a window. */
  admit: Statement<AdmittedRow>;
  /** For a database that takes no writes: requests are admitted within the limit and not counted. */
  admitUncounted: Statement<AdmittedRow>;
}

interface CredentialTable {
  /** The id, the surfaces and the end of a credential. */
  columns: string;
  /** The table of the credentials, and the conditions of a valid one. */
  join: string;
}

// Windows are aligned to the database's clock, so all processes use the same ones. A request that waited for its row across the
// border of two windows counts in the later one. The next statement reduces a counter above the limit to the limit, so it never
// grows without bound. All statements count their accounts in one order, so they never wait for each other in a circle. A row
// that stays locked for too long fails the batch, so that the other accounts of the batch do not wait for it.
function createStatements(name: string, table: CredentialTable): AdmissionStatements {
  const allAccounts = 'A request carries only its credential, which names the account.';
  return {
    admit: statement({ name, text: textOf(table, countRequests), row: admittedRow, allAccounts }),
    admitUncounted: statement({
      name: `${name}_uncounted`,
      text: textOf(table, countNothing),
      row: admittedRow,
      allAccounts,
    }),
  };
}

/** The longest time that a statement waits for the row of an account, in milliseconds. Two that share a row need about 1 ms. */
const lockTimeoutMs = 100;

function textOf({ columns, join }: CredentialTable, count: string): string {
  return `
    with short_wait as materialized (
      select set_config('lock_timeout', '${lockTimeoutMs}', true)
    ), found as (
      select requested.number, credential.account_id, ${columns}, credential.label, credential.scopes,
        credential.created_by_kind as "createdByKind",
        credential.created_by_id as "createdById", credential.created_by_name as "createdByName",
        suspended.account_id is not null as is_suspended
      from short_wait
      cross join unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as requested (hash, surface, scopes, number)
      join ${join}
      left join keys.suspended_account suspended on suspended.account_id = credential.account_id
    ), counted as (${count}
    )
    select found.*, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left,
      used - count(*) over (partition by account_id)
        + row_number() over (partition by account_id order by number) as place
    from found join counted using (account_id)`;
}

const countRequests = `
      insert into keys.rate_window as current (account_id, started_at, used)
      select account_id, date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'), count(*) from found
      group by account_id order by account_id
      on conflict (account_id) do update set
        used = case when excluded.started_at > current.started_at then 0 else least(current.used, $4) end
          + excluded.used,
        started_at = greatest(current.started_at, excluded.started_at)
      returning account_id, used, extract(epoch from started_at)::float8 + $5 as resets_at`;

const countNothing = `
      select account_id, least(count(*), $4) as used,
        extract(epoch from date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'))::float8 + $5 as resets_at
      from found group by account_id`;

/** An API key is valid for its surfaces and its scopes only, until its end. */
export const keyStatements = createStatements('keys.admit', {
  columns: 'credential.id, credential.surfaces, credential.expires_at',
  join: `keys.api_key credential on credential.hash = requested.hash
        and requested.surface = any(credential.surfaces)
        and string_to_array(requested.scopes, ' ') <@ credential.scopes
        and (credential.expires_at is null or credential.expires_at > now())`,
});

/** An access token without the scope is valid too: its refusal names the scope. */
export const accessTokenStatements = createStatements('keys.admit_access_token', {
  columns: `credential.grant_id as id, array['mcp'] as surfaces, null::timestamptz as expires_at`,
  join: `keys.access_token credential on credential.hash = requested.hash and credential.expires_at > now()`,
});
