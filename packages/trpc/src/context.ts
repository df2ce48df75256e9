import type { AccountDatabase } from '@service/database';
import type { Log } from '@service/log';
import type { Once } from './once.ts';
import type { Principal } from './principal.ts';

/** What a handler may say about its answer over REST beyond the body. tRPC and MCP ignore it. */
export interface Reply {
  /** Instead of the status in the procedure's meta, for example 200 for "already there". */
  status?: number;
  /** The path of what was created, below /api/v1. */
  location?: string;
}

/** What a door (tRPC, REST, MCP) hands to the chain. `principal` is null for somebody who has not signed in. */
export interface RequestContext {
  principal: Principal | null;
  /** The database as the account of the principal reaches it. */
  database: AccountDatabase;
  /** The database's time when the request was admitted, the same in all that it writes. */
  now: Date;
  /** The account may be read, but not written to. */
  isSuspended?: boolean;
  log: Log;
  requestId: string;
  reply: Reply;
  /** Set when the caller wants the write to happen once. */
  once?: Once | undefined;
}

export const createReply = (): Reply => ({});
