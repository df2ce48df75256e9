import type { IncomingHttpHeaders } from 'node:http';
import { observeDatabaseTime } from '@service/database';
import type { MemberAdmission } from '@service/trpc';
import type pg from 'pg';
import type { Role } from './schemas.ts';
import type { ReadSessionToken } from './session-cookie.ts';
import { findMember, findUser, findWorkspaces } from './session-queries.sql.ts';

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
}

export interface Sessions {
  /**
   * The signed-in person as a member of the workspace the caller named; null without a session, without a workspace
   * and for a workspace that is not theirs. One statement, which also brings the time of the request.
   */
  authenticateMember: (
    headers: Headers | IncomingHttpHeaders,
    workspaceId: string | undefined,
  ) => Promise<MemberAdmission | null>;
  /** Who is signed in, whatever the workspace; null for nobody. */
  signedInUser: (headers: Headers | IncomingHttpHeaders) => Promise<SignedInUser | null>;
  /** The workspaces of the person signed in, those they joined first at the front; none for nobody. */
  listWorkspaces: (headers: Headers | IncomingHttpHeaders) => Promise<WorkspaceMembership[]>;
  workspacesOf: (userId: string) => Promise<WorkspaceMembership[]>;
}

export function createSessions(pool: pg.Pool, readToken: ReadSessionToken): Sessions {
  const tokenOf = (headers: Headers | IncomingHttpHeaders): string | undefined =>
    readToken(headers instanceof Headers ? headers.get('cookie') : headers.cookie);

  const workspacesOf = async (userId: string): Promise<WorkspaceMembership[]> =>
    (await pool.query<WorkspaceMembership>({ ...findWorkspaces, values: [userId] })).rows;

  const signedInUser = async (headers: Headers | IncomingHttpHeaders): Promise<SignedInUser | null> => {
    const token = tokenOf(headers);
    if (!token) return null;
    return (await pool.query<SignedInUser>({ ...findUser, values: [token] })).rows[0] ?? null;
  };

  return {
    workspacesOf,
    signedInUser,
    async authenticateMember(headers, workspaceId) {
      const token = tokenOf(headers);
      if (!token || !isIdLike(workspaceId)) return null;
      const askedAtMs = performance.now();
      const found = await pool.query<MemberRow>({ ...findMember, values: [token, workspaceId] });
      const row = found.rows[0];
      if (!row) return null;
      observeDatabaseTime(row.now_ms, askedAtMs);
      return toAdmission(row);
    },
    async listWorkspaces(headers) {
      const user = await signedInUser(headers);
      return user ? await workspacesOf(user.id) : [];
    },
  };
}

interface MemberRow {
  user_id: string;
  name: string;
  account_id: string;
  role: Role;
  is_suspended: boolean;
  now_ms: number;
}

const toAdmission = (row: MemberRow): MemberAdmission => ({
  principal: {
    kind: 'member',
    accountId: row.account_id,
    userId: row.user_id,
    name: row.name,
    role: row.role,
  },
  now: new Date(Math.floor(row.now_ms)),
  isSuspended: row.is_suspended,
});

// A header may hold anything, a NUL included, which Postgres refuses as a text.
const isIdLike = (value: string | undefined): value is string =>
  value !== undefined && /^[0-9a-f-]{36}$/.test(value);
