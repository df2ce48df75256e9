import { createConnectionGate, type Query } from '@service/database';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { admitCalls, notSignedIn, type CallLimit, type MemberAdmission } from './member-admission.ts';
import type { Role } from './schemas.ts';
import type { ReadSessionToken } from './session-cookie.ts';
import { findUser, findWorkspaces } from './session-queries.sql.ts';

export interface SignedInUser {
  id: string;
  name: string;
  email: string;
}

export interface WorkspaceMembership {
  id: string;
  name: string;
  slug: string;
  role: Role;
  /** IANA, in which days of reports are counted. */
  timeZone: string;
}

type AnyHeaders = Headers | IncomingHttpHeaders;

export interface Sessions {
  /**
   * Authenticates the member of a workspace, counts `calls` and reads the time of the request. One statement, or none when the
   * session has ended or has no calls left. With `rate.retryAfterSeconds` the calls must be refused.
   */
  admitMember: (headers: AnyHeaders, workspaceId?: string, calls?: number) => Promise<MemberAdmission>;
  /**
   * Like `admitMember`, for the opening of a stream. After a restart all pages open theirs at once, so they take turns. Throws
   * service_busy.
   */
  admitStream: (headers: AnyHeaders, workspaceId?: string) => Promise<MemberAdmission>;
  /** The signed-in user, or null. */
  signedInUser: (headers: AnyHeaders) => Promise<SignedInUser | null>;
  /** The workspaces of the signed-in user, in the order in which they joined. Empty without a user. */
  listWorkspaces: (headers: AnyHeaders) => Promise<WorkspaceMembership[]>;
  workspacesOf: (userId: string) => Promise<WorkspaceMembership[]>;
  /** The token of the sign-in session, if its signature is valid. */
  tokenOf: (headers: AnyHeaders) => string | undefined;
}

/** Streams that open at once. The other connections of the pool are left to calls. */
const openingMax = 2;
const openingWaitMaxMs = 10_000;
/** Openings of one session that wait at once. */
const openingsWaitingMax = 1000;

export function createSessions(
  query: Query,
  { readToken, callLimit }: { readToken: ReadSessionToken; callLimit: CallLimit },
): Sessions {
  const refused = createRefusedTokens();
  const tokenOf = (headers: AnyHeaders): string | undefined =>
    readToken(headers instanceof Headers ? headers.get('cookie') : headers.cookie);

  const workspacesOf = (userId: string): Promise<WorkspaceMembership[]> => query(findWorkspaces, [userId]);

  const signedInUser = async (headers: AnyHeaders): Promise<SignedInUser | null> => {
    const token = tokenOf(headers);
    if (!token) return null;
    const [user] = await query(findUser, [token]);
    return user ?? null;
  };

  const openings = createConnectionGate({
    places: openingMax,
    // Those of one session wait for each other in the database anyway: their calls are counted in one row.
    accountMax: 1,
    waitMaxMs: openingWaitMaxMs,
    waitingMax: openingsWaitingMax,
  });

  const admitMember: Sessions['admitMember'] = async (headers, workspaceId, calls = 1) => {
    const token = tokenOf(headers);
    if (!token || !isIdLike(workspaceId)) return notSignedIn;
    const known = refused.find(token);
    if (known) return known;
    const admission = await admitCalls(query, { token, workspaceId, calls }, callLimit);
    refused.remember(token, admission);
    return admission ?? notSignedIn;
  };

  return {
    tokenOf,
    workspacesOf,
    signedInUser,
    admitMember,
    async admitStream(headers, workspaceId) {
      const token = tokenOf(headers);
      if (!token || refused.find(token)) return admitMember(headers, workspaceId);
      // Sessions take turns: the workspace is only a claim until the admission.
      const leave = await openings.enter(token);
      try {
        return await admitMember(headers, workspaceId);
      } finally {
        // After the work of this opening on the thread, so that other calls come between two openings.
        setImmediate(leave);
      }
    },
    async listWorkspaces(headers) {
      const user = await signedInUser(headers);
      return user ? await workspacesOf(user.id) : [];
    },
  };
}

// A header may contain any text, also NUL, which Postgres refuses.
const isIdLike = (value: string | undefined): value is string =>
  value !== undefined && /^[0-9a-f-]{36}$/.test(value);

/** The token of an ended session is remembered for this time. It cannot become valid again. */
const endedForMs = 60_000;

/** About 2 MB. The oldest token is removed first, and then checked in the database again. */
const tokensMax = 10_000;

interface Refusal {
  admission: MemberAdmission;
  untilMs: number;
}

/**
 * A session that has ended, or that has no calls left, is refused from memory for some time. So a flood of its calls does not reach
 * the database.
 */
function createRefusedTokens() {
  const refusals = new Map<string, Refusal>();

  const keep = (token: string, refusal: Refusal): void => {
    refusals.delete(token);
    refusals.set(token, refusal);
    if (refusals.size > tokensMax) refusals.delete(refusals.keys().next().value!);
  };

  return {
    /** The refusal of a remembered token, if it still applies. */
    find(token: string): MemberAdmission | undefined {
      const key = hashOf(token);
      const refusal = refusals.get(key);
      if (!refusal) return undefined;
      const leftMs = refusal.untilMs - performance.now();
      if (leftMs <= 0) {
        refusals.delete(key);
        return undefined;
      }
      const { rate } = refusal.admission;
      return {
        ...refusal.admission,
        rate: rate && { ...rate, retryAfterSeconds: Math.ceil(leftMs / 1000) },
      };
    },
    /** Remembers a refusal. Successful admissions are not remembered. */
    remember(token: string, admission: MemberAdmission | undefined): void {
      if (!admission) {
        keep(hashOf(token), { admission: notSignedIn, untilMs: performance.now() + endedForMs });
        return;
      }
      const { retryAfterSeconds } = admission.rate ?? {};
      if (retryAfterSeconds === undefined || !admission.isSessionUsedUp) return;
      keep(hashOf(token), { admission, untilMs: performance.now() + retryAfterSeconds * 1000 });
    },
  };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');
