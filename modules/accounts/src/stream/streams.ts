// The open streams of this process. Pages of the dashboard get the topics that change, and read the records again.
import { createRepeater, type Repeater } from '@service/background';
import type { ChangeWatch } from '@service/changes';
import { column, databaseTime, statement, type Query } from '@service/database';
import { commonErrors } from '@service/errors';
import type { Connection, MemberPrincipal } from '@service/trpc';
import { createOpenStream, type EndReason, type OpenStream } from './open-stream.ts';
import type { StreamInput } from '../schemas.ts';

export interface MemberStreams {
  /** Opens a stream of a member who was admitted. It yields messages until it ends or the signal aborts. Throws service_busy. */
  open(opening: StreamOpening): ReturnType<OpenStream['read']>;
  /** Ends all streams. A later one ends at once, so that the page connects to another process. */
  close(): Promise<void>;
}

interface StreamOpening {
  member: MemberPrincipal;
  connection: Connection;
  input: StreamInput;
  signal: AbortSignal;
}

interface StreamsOptions {
  query: Query;
  watch: Pick<ChangeWatch, 'subscribe' | 'changedSince'>;
  tokenOf: (headers: Connection['headers']) => string | undefined;
  onFailure: (error: unknown) => void;
  /** Streams of this process; 10,000. */
  streamsMax?: number;
}

const memberMax = 10;
const accountMax = 100;

/** Access is checked in this period. A stream ends at most this time, and that of one statement, after its access. */
const checkEveryMs = 3000;

/** A client that does not read its messages for this time is disconnected. */
const unreadMaxMs = 30_000;
const unreadEndMaxMs = 3000;

interface Entry {
  stream: OpenStream;
  drop: () => void;
  isEnded: boolean;
}

export function createMemberStreams(options: StreamsOptions): MemberStreams {
  const { query, watch, tokenOf, onFailure, streamsMax = 10_000 } = options;
  /** In the order of their opening. */
  const entries = new Set<Entry>();
  const byAccount = new Map<string, Set<Entry>>();
  let checks: Repeater | undefined;
  let isClosed = false;

  const add = (entry: Entry): void => {
    entries.add(entry);
    const { accountId } = entry.stream;
    const own = byAccount.get(accountId) ?? new Set();
    byAccount.set(accountId, own.add(entry));
  };

  const leaveAccount = (entry: Entry): void => {
    const { accountId } = entry.stream;
    const own = byAccount.get(accountId);
    own?.delete(entry);
    if (own?.size === 0) byAccount.delete(accountId);
  };

  const end = (entry: Entry, reason: EndReason): void => {
    if (entry.isEnded) return;
    entry.isEnded = true;
    // It does not count any more. `check` disconnects a client that does not read the reason.
    leaveAccount(entry);
    entry.stream.end(reason);
  };

  const makePlace = ({ accountId, userId }: MemberPrincipal): void => {
    if (entries.size >= streamsMax) throw commonErrors.service_busy({ retryAfterSeconds: 10 });
    const ofAccount = [...(byAccount.get(accountId) ?? [])];
    const ofMember = ofAccount.filter(({ stream }) => stream.userId === userId);
    if (ofMember.length >= memberMax) end(ofMember[0]!, 'replaced');
    else if (ofAccount.length >= accountMax) end(ofAccount[0]!, 'replaced');
  };

  const check = async (): Promise<void> => {
    const nowMs = performance.now();
    for (const { stream, isEnded, drop } of entries) {
      const waitedMs = nowMs - (stream.waitingSinceMs() ?? nowMs);
      if (waitedMs > (isEnded ? unreadEndMaxMs : unreadMaxMs)) drop();
    }
    const open = [...entries].filter(({ isEnded }) => !isEnded);
    const refused = await findRefused(
      query,
      open.map(({ stream }) => stream),
    );
    for (const place of refused) end(open[place]!, 'access');
  };

  async function* read(opening: StreamOpening): ReturnType<OpenStream['read']> {
    const { member, connection, input, signal } = opening;
    const { accountId, userId } = member;
    const token = tokenOf(connection.headers);
    if (token === undefined) throw commonErrors.sign_in_required();
    makePlace(member);
    const changed = watch.changedSince(accountId, startOf(input));
    const stream = createOpenStream({ accountId, userId, token }, changed);
    const entry: Entry = { stream, drop: connection.drop, isEnded: false };
    add(entry);
    if (isClosed) end(entry, 'restart');
    const unsubscribe = watch.subscribe(accountId, stream.add);
    checks ??= startChecks(check, onFailure);
    try {
      yield* stream.read(signal);
    } finally {
      unsubscribe();
      leaveAccount(entry);
      entries.delete(entry);
    }
  }

  return {
    open: read,
    async close() {
      isClosed = true;
      for (const entry of entries) end(entry, 'restart');
      await checks?.stop();
    },
  };
}

/** The time from which the page needs changes. */
const startOf = ({ ageMs, lastEventId }: StreamInput): Date =>
  new Date(lastEventId === undefined ? databaseTime().getTime() - ageMs : Number(lastEventId));

function startChecks(run: () => Promise<void>, onFailure: (error: unknown) => void): Repeater {
  const repeater = createRepeater({ everyMs: checkEveryMs, run, onFailure });
  repeater.start();
  return repeater;
}

const selectRefused = statement({
  name: 'accounts.select_refused_streams',
  text: `
    select given.place::int - 1 as place
    from unnest($1::text[], $2::text[]) with ordinality as given (token, account_id, place)
    where not exists (
      select from accounts.session s
      join accounts.member m on m."userId" = s."userId" and m."organizationId" = given.account_id
      where s.token = given.token and s."expiresAt" > now())`,
  row: { place: column.integer },
});

/** Finds the streams whose sign-in session or membership has ended. Returns their places in the list. */
async function findRefused(
  query: Query,
  streams: readonly Pick<OpenStream, 'token' | 'accountId'>[],
): Promise<number[]> {
  if (streams.length === 0) return [];
  const values = [streams.map(({ token }) => token), streams.map(({ accountId }) => accountId)];
  const rows = await query(selectRefused, values);
  return rows.map(({ place }) => place);
}
