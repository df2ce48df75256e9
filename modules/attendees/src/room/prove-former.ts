import { createBatcher } from '@service/background';
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

interface Waiting {
  claimed: Pick<FormerToken<unknown>, 'accountId' | 'registrationId'>;
  resolve(tokenVersion: number | undefined): void;
  reject(error: unknown): void;
}

/** Concurrent connections for tokens of the former form. Few, because most of these tokens can be forged. */
const concurrency = 2;
const batchMax = 100;
const waitingMax = 1000;
const waitMs = 2;

export interface FormerProof {
  prove<Token>(claimed: FormerToken<Token>): Promise<Token | null>;
  drain(): Promise<void>;
}

/** Proves tokens without a version: reads the version of the registration that the token claims. */
export function createFormerProof(query: Query): FormerProof {
  const run = async (waiting: readonly Waiting[]): Promise<void> => {
    try {
      const rows = await query(selectVersions, [
        waiting.map(({ claimed }) => claimed.accountId),
        waiting.map(({ claimed }) => claimed.registrationId),
      ]);
      const versions = new Map(rows.map((row) => [row.place, row.token_version]));
      for (const [index, { resolve }] of waiting.entries()) resolve(versions.get(index + 1));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  };
  const groupOf = ({ claimed }: Waiting): string => claimed.accountId;
  const batcher = createBatcher<Waiting>({ run, waitMs, batchMax, concurrency, waitingMax, groupOf });
  return {
    async prove(claimed) {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      if (!batcher.add({ claimed, resolve, reject }))
        throw attendeeErrors.room_busy({ retryAfterSeconds: 1 });
      const tokenVersion = await promise;
      return tokenVersion === undefined ? null : claimed.prove(tokenVersion);
    },
    drain: () => batcher.drain(),
  };
}
