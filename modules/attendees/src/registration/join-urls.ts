import { column, statement, type Query } from '@service/database';
import type { JoinLinks } from './join-token.ts';

// The subselects hide the lengths of the arrays from the planner. Otherwise it would make a new plan for each call, which takes longer
// than the call. The limit makes it use the index, also when the kept plan was made while the table was short.
/** A read without locks, so registrations of many accounts can share one statement. */
export const selectTokenVersions = statement({
  name: 'attendees.select_token_versions',
  text: `
    select k.place::int, r.token_version from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as k (account_id, id, place)
    cross join lateral (
      select token_version from attendees.registration where account_id = k.account_id and id = k.id limit 1
    ) r`,
  row: { place: column.integer, token_version: column.integer },
});

/** Finds the present join links by registration id. Registrations that do not exist are left out. */
export const createJoinUrlFinder =
  (query: Query, joinLinks: Pick<JoinLinks, 'urlOf'>) =>
  async (
    registrations: readonly { accountId: string; registrationId: string }[],
  ): Promise<ReadonlyMap<string, string>> => {
    const rows = await query(selectTokenVersions, [
      registrations.map(({ accountId }) => accountId),
      registrations.map(({ registrationId }) => registrationId),
    ]);
    return new Map(
      rows.map(({ place, token_version: tokenVersion }) => {
        const { accountId, registrationId: id } = registrations[place - 1]!;
        return [id, joinLinks.urlOf({ accountId, id, tokenVersion })];
      }),
    );
  };
