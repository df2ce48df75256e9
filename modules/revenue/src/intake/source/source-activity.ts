// The last events and the day's counts of sources. They are collected in memory and written together, so that events do not wait for
// the row of their source, and a stranger who floods an address causes one write a second at most. A process that is killed
// loses the counts of its last second.
import { createFailureFilter } from '@service/background';
import type { ChangeAnnouncer } from '@service/changes';
import { databaseTime, statement, type Query } from '@service/database';
import type { Log } from '@service/log';
import type { RefusalReason } from '../provider.ts';
import type { SourceAddress } from './open-source-keys.ts';

export type SourceActivity = ReturnType<typeof createSourceActivity>;

interface ActivityParts {
  database: { query: Query };
  changes: Pick<ChangeAnnouncer, 'announce'>;
  log: Log;
}

const noCounts = {
  accepted: 0,
  duplicates: 0,
  ignored: 0,
  refused: 0,
  received_at: null as Date | null,
  refused_at: null as Date | null,
  refused_reason: null as RefusalReason | null,
  conflict_at: null as Date | null,
  conflict_event_id: null as string | null,
};

/** The activity of one source on one UTC day since the last write. */
type Counts = typeof noCounts & { account_id: string; provider: string; day: string };

const everyMs = 1000;

/** Sources that wait to be written. Activity of further ones is not counted. */
const sourcesMax = 20_000;

/** Sources in one statement. */
const batchMax = 500;

// Rows are locked in one order, so that two processes never wait for each other in a circle.
const write = statement({
  name: 'revenue.write_source_activity',
  text: `
    with given as materialized (
      select g.* from jsonb_to_recordset($1::jsonb) as g (account_id uuid, provider text, day date, accepted int, duplicates int,
        ignored int, refused int, received_at timestamptz, refused_at timestamptz, refused_reason text,
        conflict_at timestamptz, conflict_event_id text)
    ), locked as materialized (
      select account_id, provider from revenue.source
      where (account_id, provider) in (select account_id, provider from given)
      order by account_id, provider for update
    ), changed as (
      update revenue.source s set
        last_received_at = greatest(s.last_received_at, g.received_at),
        last_refused_at = greatest(s.last_refused_at, g.refused_at),
        last_refused_reason = coalesce(g.refused_reason, s.last_refused_reason),
        last_conflict_at = greatest(s.last_conflict_at, g.conflict_at),
        last_conflict_event_id = coalesce(g.conflict_event_id, s.last_conflict_event_id)
      from given g where s.account_id = g.account_id and s.provider = g.provider
    )
    insert into revenue.source_day as d (account_id, provider, day, accepted, duplicates, ignored, refused)
    select g.account_id, g.provider, g.day, g.accepted, g.duplicates, g.ignored, g.refused
    from given g where (g.account_id, g.provider) in (select account_id, provider from locked)
    order by g.account_id, g.provider, g.day
    on conflict (account_id, provider, day) do update set
      accepted = d.accepted + excluded.accepted,
      duplicates = d.duplicates + excluded.duplicates,
      ignored = d.ignored + excluded.ignored,
      refused = d.refused + excluded.refused`,
});

export function createSourceActivity({ database, changes, log }: ActivityParts) {
  let waiting = new Map<string, Counts>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;
  const failures = createFailureFilter((error) =>
    log.warn({ err: error }, 'The activity of revenue sources could not be written'),
  );

  const change = (
    { accountId, provider }: SourceAddress,
    apply: (counts: Counts, now: Date) => void,
  ): void => {
    const now = databaseTime();
    const day = now.toISOString().slice(0, 10);
    const name = `${accountId} ${provider} ${day}`;
    const known = waiting.get(name);
    if (!known && (isClosed || waiting.size >= sourcesMax)) return;
    const counts = known ?? { ...noCounts, account_id: accountId, provider, day };
    apply(counts, now);
    waiting.set(name, counts);
    if (!known) timer ??= setTimeout(writeLater, everyMs);
  };

  const writeLater = (): void => {
    writing = writeAll().finally(() => {
      timer = undefined;
      if (waiting.size > 0 && !isClosed) timer = setTimeout(writeLater, everyMs);
    });
  };

  const writeAll = async (): Promise<void> => {
    const all = [...waiting.entries()];
    waiting = new Map();
    for (let from = 0; from < all.length; from += batchMax) {
      const batch = all.slice(from, from + batchMax);
      try {
        await database.query(write, [JSON.stringify(batch.map(([, counts]) => counts))]);
        failures.succeeded();
        for (const accountId of new Set(batch.map(([, counts]) => counts.account_id)))
          changes.announce(accountId, 'revenue');
      } catch (error) {
        failures.failed(error);
        for (const [name, counts] of batch) putBack(name, counts);
      }
    }
  };

  const putBack = (name: string, earlier: Counts): void => {
    const later = waiting.get(name);
    if (!later) {
      waiting.set(name, earlier);
      return;
    }
    for (const counted of ['accepted', 'duplicates', 'ignored', 'refused'] as const)
      later[counted] += earlier[counted];
    later.received_at ??= earlier.received_at;
    later.refused_at ??= earlier.refused_at;
    later.refused_reason ??= earlier.refused_reason;
    later.conflict_at ??= earlier.conflict_at;
    later.conflict_event_id ??= earlier.conflict_event_id;
  };

  return {
    received(address: SourceAddress, result: 'accepted' | 'duplicates' | 'ignored'): void {
      change(address, (counts, now) => {
        counts[result] += 1;
        counts.received_at = now;
      });
    },
    refused(address: SourceAddress, reason: RefusalReason): void {
      change(address, (counts, now) => {
        counts.refused += 1;
        counts.refused_at = now;
        counts.refused_reason = reason;
      });
    },
    /** An event id was repeated with other content. */
    conflicted(address: SourceAddress, eventId: string): void {
      change(address, (counts, now) => {
        counts.conflict_at = now;
        counts.conflict_event_id = eventId;
      });
    },
    /** Writes what is collected. Later calls are ignored. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await writing;
      await writeAll();
    },
  };
}
