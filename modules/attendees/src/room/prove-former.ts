import { createLoader } from '@service/background';
import { column, statement, type Query } from '@service/database';
import { attendeeErrors } from '../errors.ts';
import type { FormerToken } from '../registration/join-token.ts';

/** A read without locks, so tokens of many accounts can share one statement. */
const selectVersions = statement({
  name: 'attendees.select_token_versions',
  text: `
    select k.place::int, r.token_version from unnest($1::uuid[], $2::uuid[]) with ordinality as k (account_id, id, place)
    join attendees.registration r on r.account_id = k.account_id and r.id = k.id`,
  row: { place: column.integer, token_version: column.integer },
});

type Claimed = Pick<FormerToken<unknown>, 'accountId' | 'registrationId'>;

export interface FormerProof {
  prove<Token>(claimed: FormerToken<Token>): Promise<Token | null>;
  drain(): Promise<void>;
}

/** Proves tokens without a version: reads the version of the registration that the token claims. */
export function createFormerProof(query: Query): FormerProof {
  const versions = createLoader<Claimed, number | undefined>({
    async load(claimed) {
      const rows = await query(selectVersions, [
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
    async prove(claimed) {
      const tokenVersion = await versions.load(claimed);
      return tokenVersion === undefined ? null : claimed.prove(tokenVersion);
    },
    drain: () => versions.drain(),
  };
}
