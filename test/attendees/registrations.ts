import { callRest, type TestApi, type TestWorld } from '../support/api.ts';

type World = Pick<TestWorld, 'key' | 'webinar'>;

/** Registers a person for the world's session over REST. `fields` replace or extend the body. */
export const register = (service: TestApi, { key, webinar }: World, fields: object = {}) =>
  callRest(service, `POST /webinars/${webinar.id}/registrations`, {
    key,
    body: { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime, ...fields },
  });

/** Registers many people for the world's session over REST, one for each of `rows`. */
export const registerMany = (service: TestApi, { key, webinar }: World, rows: readonly object[]) =>
  callRest(service, `POST /webinars/${webinar.id}/registrations/bulk`, {
    key,
    body: {
      registrations: rows.map((row) => ({ name: 'Ada', sessionTime: webinar.sessionTime, ...row })),
    },
  });

export const countRows = async (service: TestApi, table: string): Promise<number> =>
  (await service.db.database.pool.query(`select count(*)::int as rows from ${table}`)).rows[0].rows;
