// Calls of the dashboard are counted in two windows: of their session and of their account. Both are aligned to the
// database's clock, so all processes agree on them. The session check and the counting are one statement.
import type { MemberPrincipal, RateState } from '@service/trpc';
import type pg from 'pg';
import type { Role } from './schemas.ts';
import { countCalls } from './session-queries.sql.ts';

/** Calls that the dashboard may make in one window. */
export interface CallLimit {
  perSession: number;
  /** Over all sessions of the account's members. */
  perAccount: number;
  windowSeconds: number;
}

export const defaultCallLimit: CallLimit = { perSession: 600, perAccount: 3000, windowSeconds: 60 };

export interface MemberAdmission {
  /** Null without a session, without a workspace and for a workspace that is not theirs. */
  principal: MemberPrincipal | null;
  /** Of the session or of the account, whichever has fewer calls left; undefined without a session. */
  rate: RateState | undefined;
  /** The session itself has no calls left. */
  isSessionUsedUp: boolean;
}

export const notSignedIn: MemberAdmission = { principal: null, rate: undefined, isSessionUsedUp: false };

interface Window {
  used: number;
  resets_at: number;
}

interface CountedRow {
  user_id: string;
  account_id: string | null;
  role: Role | null;
  session_window: Window;
  account_window: Window | null;
  now: number;
}

/** Looks the session and the membership up, and counts the calls. Undefined when there is no such session. */
export async function admitCalls(
  pool: pg.Pool,
  { token, workspaceId, calls }: { token: string; workspaceId: string; calls: number },
  limit: CallLimit,
): Promise<MemberAdmission | undefined> {
  const { rows } = await pool.query<CountedRow>({
    ...countCalls,
    values: [token, workspaceId, calls, limit.windowSeconds, limit.perSession, limit.perAccount],
  });
  const [row] = rows;
  if (!row) return undefined;
  return {
    principal: toPrincipal(row),
    rate: tighterRate(row, limit),
    isSessionUsedUp: row.session_window.used > limit.perSession,
  };
}

const toPrincipal = ({ user_id, account_id, role }: CountedRow): MemberPrincipal | null =>
  account_id !== null && role !== null
    ? { kind: 'member', accountId: account_id, userId: user_id, role }
    : null;

function tighterRate(
  { session_window, account_window, now }: CountedRow,
  { perSession, perAccount }: CallLimit,
): RateState {
  const ofSession = toRate(session_window, perSession, now);
  if (!account_window) return ofSession;
  const ofAccount = toRate(account_window, perAccount, now);
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
