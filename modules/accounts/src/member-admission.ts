// Calls of the dashboard are counted in two windows: one for the session and one for the account. Both are aligned to the
// database's clock, so all processes use the same ones. One statement checks the session and counts the calls.
import { isWriteRefusal, observeDatabaseTime, type Query } from '@service/database';
import type { RateState } from '@service/surface';
import type { MemberPrincipal } from '@service/trpc';
import { countCalls, findMember, type CountedRow, type Window } from './session-queries.sql.ts';

/** Calls of the dashboard in one window. */
export interface CallLimit {
  perSession: number;
  /** Over all sessions of the account's members. */
  perAccount: number;
  windowSeconds: number;
}

export const defaultCallLimit: CallLimit = { perSession: 600, perAccount: 3000, windowSeconds: 60 };

export interface MemberAdmission {
  /** Null without a session, and for a workspace without this member. */
  principal: MemberPrincipal | null;
  /** The time of the request by the database's clock. Undefined when the refusal came from memory. */
  now: Date | undefined;
  /** An operator has suspended the workspace. */
  isSuspended: boolean;
  /** The state of the window with fewer calls left. Undefined without a session. */
  rate: RateState | undefined;
  /** The window of the session has no calls left. */
  isSessionUsedUp: boolean;
}

export const notSignedIn: MemberAdmission = {
  principal: null,
  now: undefined,
  isSuspended: false,
  rate: undefined,
  isSessionUsedUp: false,
};

interface Calls {
  token: string;
  workspaceId: string;
  calls: number;
}

/** Checks the session and the membership, and counts the calls. Undefined when the session does not exist. */
export async function admitCalls(
  query: Query,
  calls: Calls,
  limit: CallLimit,
): Promise<MemberAdmission | undefined> {
  const sentAtMs = performance.now();
  const [row] = await queryCalls(query, calls, limit);
  if (!row) return undefined;
  observeDatabaseTime(row.now_ms, sentAtMs);
  return {
    principal: toPrincipal(row),
    now: new Date(Math.floor(row.now_ms)),
    isSuspended: row.is_suspended,
    rate: tighterRate(row, limit),
    isSessionUsedUp: (row.session_window?.used ?? 0) > limit.perSession,
  };
}

/** Reads are answered even while the database takes no writes, because its disk is full or it is read-only. */
async function queryCalls(
  query: Query,
  { token, workspaceId, calls }: Calls,
  { windowSeconds, perSession, perAccount }: CallLimit,
): Promise<CountedRow[]> {
  try {
    const values = [token, workspaceId, calls, windowSeconds, perSession, perAccount];
    return await query(countCalls, values);
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return query(findMember, [token, workspaceId]);
  }
}

const toPrincipal = ({ user_id, name, account_id, role }: CountedRow): MemberPrincipal | null =>
  account_id !== null && role !== null
    ? { kind: 'member', accountId: account_id, userId: user_id, name, role }
    : null;

function tighterRate(
  { session_window, account_window, now_ms }: CountedRow,
  { perSession, perAccount }: CallLimit,
): RateState | undefined {
  if (!session_window) return undefined;
  const ofSession = toRate(session_window, perSession, now_ms / 1000);
  if (!account_window) return ofSession;
  const ofAccount = toRate(account_window, perAccount, now_ms / 1000);
  const isAccountTighter =
    ofAccount.retryAfterSeconds !== undefined || ofAccount.remaining < ofSession.remaining;
  return isAccountTighter ? ofAccount : ofSession;
}

const toRate = ({ used, resets_at }: Window, limit: number, now: number): RateState => ({
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt: resets_at,
  retryAfterSeconds: used > limit ? Math.max(1, Math.ceil(resets_at - now)) : undefined,
});
