import { column, statement, type Query } from '@service/database';
import type { OpenStream } from './open-stream.ts';

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
export async function findRefused(
  query: Query,
  streams: readonly Pick<OpenStream, 'token' | 'accountId'>[],
): Promise<number[]> {
  if (streams.length === 0) return [];
  const values = [streams.map(({ token }) => token), streams.map(({ accountId }) => accountId)];
  const rows = await query(selectRefused, values);
  return rows.map(({ place }) => place);
}
