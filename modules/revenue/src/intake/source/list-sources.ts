import type { AccountReader } from '@service/database';
import type { RevenueProvider } from '../provider.ts';
import { RevenueSource, SourceDay } from './entities.ts';
import type { RevenueSourceOutput } from './schemas.ts';

const noCounts = { accepted: 0, duplicates: 0, ignored: 0, refused: 0 };

/** A record for each provider, also for those without a secret. */
export async function listSources(
  { em, accountId, now }: AccountReader,
  providers: readonly RevenueProvider[],
  urlOf: (accountId: string, provider: string) => string,
): Promise<RevenueSourceOutput[]> {
  const day = now.toISOString().slice(0, 10);
  const sources = await em.find(RevenueSource, { accountId });
  const days = await em.find(SourceDay, { accountId, day });
  return providers.map(({ name, secret, eventTypes }) => {
    const source = sources.find((one) => one.provider === name);
    const today = days.find((one) => one.provider === name) ?? noCounts;
    const until = source?.previousSecretUntil ?? null;
    return {
      provider: name,
      url: urlOf(accountId, name),
      secretMadeBy: secret.madeBy,
      secretHint: secret.madeBy === 'provider' ? secret.hint : null,
      eventTypes: [...eventTypes],
      secretLast4: source?.secretLast4 ?? null,
      createdAt: textOf(source?.createdAt),
      previousSecretUntil: until !== null && until > now ? textOf(until) : null,
      lastReceivedAt: textOf(source?.lastReceivedAt),
      lastRefusedAt: textOf(source?.lastRefusedAt),
      lastRefusedReason: source?.lastRefusedReason ?? null,
      lastConflictAt: textOf(source?.lastConflictAt),
      lastConflictEventId: source?.lastConflictEventId ?? null,
      today: {
        accepted: today.accepted,
        duplicates: today.duplicates,
        ignored: today.ignored,
        refused: today.refused,
      },
    };
  });
}

const textOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;
