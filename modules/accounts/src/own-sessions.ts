// The sign-in sessions of the caller, in all workspaces.
import { column, nullable, statement, type AccountReader, type AccountWriter } from '@service/database';
import { accountErrors } from './errors.ts';
import type { OwnSessionOutput } from './schemas.ts';
import { endTwoFactorChallenges } from './two-factor.ts';

/** Listed sessions. A person with more of them ends all others at once. */
const listedMax = 100;

const selectOwn = statement({
  name: 'accounts.select_own_sessions',
  text: `
    select id, "createdAt", "ipAddress" as address, "userAgent", token = $2 as "isCurrent"
    from accounts.session
    where "userId" = $1 and "expiresAt" > now()
    order by token = $2 desc, "createdAt" desc limit $3`,
  row: {
    id: column.text,
    createdAt: column.time,
    address: nullable(column.text),
    userAgent: nullable(column.text),
    isCurrent: column.boolean,
  },
});

const endOwn = statement({
  name: 'accounts.end_own_session',
  text: `delete from accounts.session where "userId" = $1 and id = $2 returning id`,
  row: { id: column.text },
});

const endOthers = statement({
  name: 'accounts.end_other_sessions',
  text: `delete from accounts.session where "userId" = $1 and token <> $2 returning id`,
  row: { id: column.text },
});

interface Own {
  userId: string;
  /** Of the session of this call. */
  token: string;
}

/** The session of the call first, then the newest. */
export async function listOwnSessions(
  { query }: Pick<AccountReader, 'query'>,
  { userId, token }: Own,
): Promise<OwnSessionOutput[]> {
  const rows = await query(selectOwn, [userId, token, listedMax]);
  return rows.map((row) => ({
    ...row,
    address: row.address || null,
    userAgent: row.userAgent || null,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Signs the caller out in another browser. Its next call, on any process, is refused. Throws sign_in_session_not_found. */
export async function endOwnSession(tx: AccountWriter, { userId, id }: { userId: string; id: string }) {
  if ((await tx.query(endOwn, [userId, id])).length === 0) throw accountErrors.sign_in_session_not_found();
}

/**
 * Signs the caller out everywhere but here, and forgets the browsers that are not asked for a code. Returns the number of ended
 * sessions.
 */
export async function endOtherSessions(tx: AccountWriter, { userId, token }: Own): Promise<number> {
  const ended = await tx.query(endOthers, [userId, token]);
  await endTwoFactorChallenges(tx.query, userId);
  return ended.length;
}
