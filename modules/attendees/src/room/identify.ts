import { createLoader } from '@service/background';
import { column, type Query, statement } from '@service/database';
import { acceptsEvents, loadWebinars } from '@service/webinars';
import { attendeeErrors } from '../errors.ts';
import type { FormerToken, JoinToken } from '../registration/join-token.ts';
import { selectTokenVersions } from '../registration/join-urls.ts';
import type { RoomIdentity } from './room.ts';

const selectAttendees = statement({
  name: 'attendees.select_room_attendees',
  text: `
    select k.place::int, r.webinar_id, r.session_id, r.token_version
    from unnest($1::uuid[], $2::uuid[]) with ordinality as k (account_id, id, place)
    join attendees.registration r on r.account_id = k.account_id and r.id = k.id and r.status <> 'cancelled'`,
  row: {
    place: column.integer,
    webinar_id: column.id,
    session_id: column.id,
    token_version: column.integer,
  },
});

/**
 * Streams that open together, for example after a restart, are identified together. A batch is small, because all of its streams
 * send their first page in one go: after ten of them other calls have the thread.
 */
const batchMax = 10;
const waitingMax = 10_000;
const waitMs = 2;

/** Identifies the attendees of tokens. */
export function createIdentifier(query: Query) {
  const identities = createLoader<JoinToken, RoomIdentity | undefined>({
    load: (tokens) => loadIdentities(query, tokens),
    refuse: () => attendeeErrors.room_busy({ retryAfterSeconds: 5 }),
    groupOf: ({ accountId }) => accountId,
    batchMax,
    waitingMax,
    waitMs,
  });
  return {
    /** The attendee of a token, and the part of the chat that they see. Throws join_link_expired, room_busy. */
    async identify(token: JoinToken): Promise<RoomIdentity> {
      const identity = await identities.load(token);
      if (!identity) throw attendeeErrors.join_link_expired();
      return identity;
    },
    drain: (): Promise<void> => identities.drain(),
  };
}

async function loadIdentities(
  query: Query,
  tokens: readonly JoinToken[],
): Promise<(RoomIdentity | undefined)[]> {
  const rows = await query(selectAttendees, [
    tokens.map(({ accountId }) => accountId),
    tokens.map(({ registrationId }) => registrationId),
  ]);
  const keys = rows.map((row) => ({ accountId: tokens[row.place - 1]!.accountId, id: row.webinar_id }));
  const webinars = await loadWebinars(query, [...new Map(keys.map((key) => [key.id, key])).values()]);
  const rowsByPlace = new Map(rows.map((row) => [row.place, row]));
  return tokens.map(({ accountId, registrationId, tokenVersion }, index) => {
    const row = rowsByPlace.get(index + 1);
    const webinar = row && webinars.get(row.webinar_id);
    if (row?.token_version !== tokenVersion || !webinar || !acceptsEvents(webinar)) return undefined;
    const { chatMode } = webinar.room;
    return { accountId, webinarId: row.webinar_id, sessionId: row.session_id, registrationId, chatMode };
  });
}

type Claimed = Pick<FormerToken<unknown>, 'accountId' | 'registrationId'>;

/** Proves tokens without a version: reads the version of the registration that the token claims. */
export function createFormerProof(query: Query) {
  const versions = createLoader<Claimed, number | undefined>({
    async load(claimed) {
      const rows = await query(selectTokenVersions, [
        claimed.map(({ accountId }) => accountId),
        claimed.map(({ registrationId }) => registrationId),
      ]);
      const found = new Map(rows.map((row) => [row.place, row.token_version]));
      return claimed.map((_, index) => found.get(index + 1));
    },
    refuse: () => attendeeErrors.room_busy({ retryAfterSeconds: 1 }),
    groupOf: ({ accountId }) => accountId,
    // Few connections, because most of these tokens can be forged.
    concurrency: 2,
    batchMax: 100,
    waitingMax: 1000,
    waitMs: 2,
  });
  return {
    async prove<Token>(claimed: FormerToken<Token>): Promise<Token | null> {
      const tokenVersion = await versions.load(claimed);
      return tokenVersion === undefined ? null : claimed.prove(tokenVersion);
    },
    drain: (): Promise<void> => versions.drain(),
  };
}
