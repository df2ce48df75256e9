import type { AccountReader } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { revenueErrors } from '../../errors.ts';
import type { ListRefusedInput, RefusedEventDetail, RefusedEventOutput } from '../source/schemas.ts';
import { refusedDays } from './keep-refused.ts';
import { RefusedEvent } from './refused-event.ts';

type Listed = Pick<RefusedEvent, 'id' | 'provider' | 'reason' | 'issues' | 'size' | 'receivedAt'>;

/** Newest first, those of the last week. */
export async function listRefused(
  { em, accountId, now }: AccountReader,
  { limit, cursor, provider }: z.output<typeof ListRefusedInput>,
) {
  const scope = { list: 'revenue.refused', accountId, filters: { provider } };
  const before = cursorId(cursor, scope);
  const rows = await em.find(
    RefusedEvent,
    {
      accountId,
      receivedAt: { $gte: startOf(now) },
      ...(provider !== undefined && { provider }),
      ...(before !== undefined && { id: { $lt: before } }),
    },
    {
      // Without the bodies.
      fields: ['id', 'provider', 'reason', 'issues', 'size', 'receivedAt'],
      orderBy: { id: 'desc' },
      limit: limit + 1,
    },
  );
  return toPage<Listed, z.output<typeof RefusedEventOutput>>(rows, { limit, scope, toItem: toOutput });
}

/** One event with its body. Throws refused_event_not_found. */
export async function getRefused(
  { em, accountId, now }: AccountReader,
  id: string,
  secretBox: SecretBox,
): Promise<z.output<typeof RefusedEventDetail>> {
  const row = await em.findOne(RefusedEvent, { accountId, id, receivedAt: { $gte: startOf(now) } });
  if (!row) throw revenueErrors.refused_event_not_found();
  return { ...toOutput(row), body: secretBox.openBytes(row.sealedBody, row.id).toString('utf8') };
}

const startOf = (now: Date): Date => new Date(now.getTime() - refusedDays * 24 * 60 * 60 * 1000);

const toOutput = ({ id, provider, reason, issues, size, receivedAt }: Listed) => ({
  id,
  provider,
  reason,
  issues,
  size,
  receivedAt: receivedAt.toISOString(),
});
