import {
  column,
  createId,
  idAt,
  idTime,
  nullable,
  statement,
  type AccountWriter,
  type Database,
} from '@service/database';
import { mailErrors } from '../errors.ts';
import type { Route } from '../send/route.ts';

const memberMinuteMax = 10;

/** Of all members. The sender of the installation is the operator's, whose reputation every account shares. */
const dayMax: Record<Route['sender'], number> = { installation: 100, connection: 1000 };

const minuteMs = 60_000;
const dayMs = 86_400_000;

// Two tests at once must not both take the last place.
const takeTurn = statement({
  name: 'mails.take_turn_of_tests',
  text: `select pg_advisory_xact_lock(hashtextextended('mails.tests ' || $1::uuid::text, 0))`,
});

// $2 the member, $3 the sender, $4 and $5 the lowest ids of the last minute and of the last day.
const selectRecent = statement({
  name: 'mails.select_recent_tests',
  text: `
    select count(*) filter (where user_id = $2 and id >= $4::uuid)::integer as "memberCount",
      count(*) filter (where sender = $3)::integer as count,
      (array_agg(id order by id) filter (where sender = $3))[1] as oldest
    from mails.test_mail where account_id = $1 and id >= $5::uuid`,
  row: { memberCount: column.integer, count: column.integer, oldest: nullable(column.id) },
});

const insertTest = statement({
  name: 'mails.insert_test',
  text: 'insert into mails.test_mail (account_id, id, user_id, sender) values ($1, $2, $3, $4)',
});

/** Counts a test that a member sends. Throws mail_test_limit_reached. */
export async function admitTest(
  { query, accountId, now }: AccountWriter,
  userId: string,
  sender: Route['sender'],
): Promise<void> {
  const before = (ms: number): string => idAt(new Date(now.getTime() - ms));
  await query(takeTurn, [accountId]);
  const values = [accountId, userId, sender, before(minuteMs), before(dayMs)];
  const [recent] = await query(selectRecent, values);
  const { memberCount, count, oldest } = recent!;
  if (oldest && count >= dayMax[sender]) {
    const freeAtMs = idTime(oldest).getTime() + dayMs;
    throw mailErrors.mail_test_limit_reached({
      retryAfterSeconds: Math.max(1, Math.ceil((freeAtMs - now.getTime()) / 1000)),
    });
  }
  if (memberCount >= memberMinuteMax) throw mailErrors.mail_test_limit_reached({ retryAfterSeconds: 60 });
  await query(insertTest, [accountId, createId(now), userId, sender]);
}

const deleteOld = statement({
  name: 'mails.delete_old_tests',
  text: 'delete from mails.test_mail where id < $1::uuid',
  allAccounts: 'Tests of every account are kept for a day.',
});

export const deleteOldTests = async ({ query }: Pick<Database, 'query'>, now: Date): Promise<void> =>
  void (await query(deleteOld, [idAt(new Date(now.getTime() - dayMs))]));
