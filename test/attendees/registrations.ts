import type { TestApi, TestWorld } from '../support/api.ts';

/** `call` is for paths below the webinar. */
type World = Pick<TestWorld, 'call' | 'webinar'>;

/** Registers a person for the world's session over REST. `fields` replace or extend the body. */
export const register = ({ call, webinar: { sessionTime } }: World, fields: object = {}) =>
  call('POST /registrations', { name: 'Ada', email: 'ada@example.com', sessionTime, ...fields });

/** Registers many people for the world's session over REST, one for each of `rows`. */
export const registerMany = ({ call, webinar: { sessionTime } }: World, rows: readonly object[]) =>
  call('POST /registrations/bulk', {
    registrations: rows.map((row) => ({ name: 'Ada', sessionTime, ...row })),
  });

/** The rows of a workspace. */
export const countRows = async (
  { db }: TestApi,
  { accountId }: Pick<TestWorld, 'accountId'>,
  table: string,
): Promise<number> => {
  const counted = `select count(*)::int as rows from ${table} where account_id = $1`;
  return (await db.database.pool.query(counted, [accountId])).rows[0].rows;
};
