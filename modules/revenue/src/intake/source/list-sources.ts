import { column, nullable, statement, type AccountReader } from '@service/database';
import type { RefusalReason, RevenueProvider } from '../provider.ts';
import type { RevenueSourceOutput } from './schemas.ts';

// One statement, so that the counts of the day and the last events are of the same moment. $4 providers.
const selectSources = statement({
  name: 'revenue.select_sources',
  text: `
    select p.name as provider, s.secret_last4 as "secretLast4", s.created_at as "createdAt",
      case when s.previous_secret_until > $3 then s.previous_secret_until end as "previousSecretUntil",
      s.last_received_at as "lastReceivedAt", s.last_refused_at as "lastRefusedAt", s.last_refused_reason as "lastRefusedReason",
      s.last_conflict_at as "lastConflictAt", s.last_conflict_event_id as "lastConflictEventId",
      coalesce(d.accepted, 0) as accepted, coalesce(d.duplicates, 0) as duplicates, coalesce(d.ignored, 0) as ignored,
      coalesce(d.refused, 0) as refused,
      (select count(*)::int from (
          select id from revenue.payment
          where account_id = $1 and provider = s.provider and joinable_until < $3 order by joinable_until desc limit 100
        ) p
        where exists (
          select from revenue.purchase_description i where i.account_id = $1 and i.payment_id = p.id and i.kind = 'invoice'
        )) as "invoicesWithoutPayment"
    from unnest($4::text[]) with ordinality as p (name, place)
    left join revenue.source s on s.account_id = $1 and s.provider = p.name
    left join revenue.source_day d on d.account_id = $1 and d.provider = s.provider and d.day = $2::date
    order by p.place`,
  row: {
    provider: column.text,
    secretLast4: nullable(column.text),
    createdAt: nullable(column.time),
    previousSecretUntil: nullable(column.time),
    lastReceivedAt: nullable(column.time),
    lastRefusedAt: nullable(column.time),
    lastRefusedReason: nullable(column.textOf<RefusalReason>()),
    lastConflictAt: nullable(column.time),
    lastConflictEventId: nullable(column.text),
    accepted: column.integer,
    duplicates: column.integer,
    ignored: column.integer,
    refused: column.integer,
    invoicesWithoutPayment: column.integer,
  },
});

/** A record for each provider, also for those without a secret. */
export async function listSources(
  { query, accountId, now }: AccountReader,
  providers: readonly RevenueProvider[],
  urlOf: (accountId: string, provider: string) => string,
): Promise<RevenueSourceOutput[]> {
  const names = providers.map(({ name }) => name);
  const sources = await query(selectSources, [accountId, now.toISOString().slice(0, 10), now, names]);
  return sources.map(({ accepted, duplicates, ignored, refused, ...source }, index) => {
    const { name, secret, eventTypes } = providers[index]!;
    return {
      ...source,
      url: urlOf(accountId, name),
      secretMadeBy: secret.madeBy,
      secretHint: secret.madeBy === 'provider' ? secret.hint : null,
      eventTypes: [...eventTypes],
      createdAt: textOf(source.createdAt),
      previousSecretUntil: textOf(source.previousSecretUntil),
      lastReceivedAt: textOf(source.lastReceivedAt),
      lastRefusedAt: textOf(source.lastRefusedAt),
      lastConflictAt: textOf(source.lastConflictAt),
      today: { accepted, duplicates, ignored, refused },
    };
  });
}

const textOf = (time: Date | null): string | null => time?.toISOString() ?? null;
