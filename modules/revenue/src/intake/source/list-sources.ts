import { column, nullable, statement, type AccountReader } from '@service/database';
import type { RefusalReason, RevenueProvider } from '../provider.ts';
import type { RevenueSourceOutput } from './schemas.ts';

// One statement, so that the counts of the day and the last events are of the same moment.
const selectSources = statement({
  name: 'revenue.select_sources',
  text: `
    select s.provider, s.secret_last4, s.created_at, s.previous_secret_until, s.last_received_at, s.last_refused_at,
      s.last_refused_reason, s.last_conflict_at, s.last_conflict_event_id, coalesce(d.accepted, 0) as accepted,
      coalesce(d.duplicates, 0) as duplicates, coalesce(d.ignored, 0) as ignored, coalesce(d.refused, 0) as refused,
      (select count(*)::int from (
          select id from revenue.payment
          where account_id = $1 and provider = s.provider and joinable_until < $3 order by joinable_until desc limit 100
        ) p
        where exists (
          select from revenue.purchase_description i where i.account_id = $1 and i.payment_id = p.id and i.kind = 'invoice'
        )) as unpaid_invoices
    from revenue.source s
    left join revenue.source_day d on d.account_id = s.account_id and d.provider = s.provider and d.day = $2::date
    where s.account_id = $1`,
  row: {
    provider: column.text,
    secret_last4: column.text,
    created_at: column.time,
    previous_secret_until: nullable(column.time),
    last_received_at: nullable(column.time),
    last_refused_at: nullable(column.time),
    last_refused_reason: nullable(column.textOf<RefusalReason>()),
    last_conflict_at: nullable(column.time),
    last_conflict_event_id: nullable(column.text),
    accepted: column.integer,
    duplicates: column.integer,
    ignored: column.integer,
    refused: column.integer,
    unpaid_invoices: column.integer,
  },
});

/** A record for each provider, also for those without a secret. */
export async function listSources(
  { query, accountId, now }: AccountReader,
  providers: readonly RevenueProvider[],
  urlOf: (accountId: string, provider: string) => string,
): Promise<RevenueSourceOutput[]> {
  const sources = await query(selectSources, [accountId, now.toISOString().slice(0, 10), now]);
  return providers.map(({ name, secret, eventTypes }) => {
    const source = sources.find(({ provider }) => provider === name);
    const until = source?.previous_secret_until ?? null;
    return {
      provider: name,
      url: urlOf(accountId, name),
      secretMadeBy: secret.madeBy,
      secretHint: secret.madeBy === 'provider' ? secret.hint : null,
      eventTypes: [...eventTypes],
      secretLast4: source?.secret_last4 ?? null,
      createdAt: textOf(source?.created_at),
      previousSecretUntil: until !== null && until > now ? textOf(until) : null,
      lastReceivedAt: textOf(source?.last_received_at),
      lastRefusedAt: textOf(source?.last_refused_at),
      lastRefusedReason: source?.last_refused_reason ?? null,
      lastConflictAt: textOf(source?.last_conflict_at),
      lastConflictEventId: source?.last_conflict_event_id ?? null,
      invoicesWithoutPayment: source?.unpaid_invoices ?? 0,
      today: {
        accepted: source?.accepted ?? 0,
        duplicates: source?.duplicates ?? 0,
        ignored: source?.ignored ?? 0,
        refused: source?.refused ?? 0,
      },
    };
  });
}

const textOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;
