import { lowestId, statement, type AccountReader } from '@service/database';
import { registrationRow } from '../entities/registration.ts';
import { describeAttendees, type Attendee } from './find-attendees.ts';

interface RosterQuery {
  sessionId: string;
  /** The last registration of the previous page. Undefined for the first page. */
  after: string | undefined;
  limit: number;
}

const selectPage = statement({
  name: 'attendees.select_roster',
  text: `
    select * from attendees.registration where account_id = $1 and session_id = $2 and id > $3
    order by id limit $4`,
  row: registrationRow.columns,
});

/** A page of the attendees of a session, also cancelled ones, in the order of registration. */
export async function listRoster(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  { sessionId, after = lowestId, limit }: RosterQuery,
): Promise<Attendee[]> {
  const rows = await reader.query(selectPage, [reader.accountId, sessionId, after, limit]);
  return describeAttendees(reader, rows.map(registrationRow.toEntity));
}
