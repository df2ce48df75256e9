import { statement, type AccountReader } from '@service/database';
import { cursorPlace, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Session, sessionRow } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';
import { keyset, type Sorting } from '../keyset.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListSessionsInput, SessionInput } from './schemas.ts';
import { statusAtSql } from './status-at.ts';
import { sessionToOutput } from './session-to-output.ts';

// Postgres refuses some offsets that are valid in ISO 8601, such as +23:59.
const toTime = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

// $1 account, $2 webinar, $3 kind or null, $4 status or null, $5 and $6 bounds of the start or null, $7 the session to start
// after or null, $8 now, $9 limit. Sorted by start: $10 the start of the session to start after, or null.
const selectPage = (name: string, sorting: Sorting) => {
  const { after, orderBy } = keyset({
    table: 'webinars.session',
    alias: 's',
    cursor: '$7',
    cursorValue: '$10::timestamptz',
    ...sorting,
  });
  return statement({
    name,
    text: `
      select s.* from webinars.session s
      where s.account_id = $1 and s.webinar_id = $2
        and ($3::text is null or s.kind = $3)
        and ($4::text is null or (${statusAtSql('$8')}) = $4)
        and ($5::timestamptz is null or s.starts_at >= $5)
        and ($6::timestamptz is null or s.starts_at < $6)
        and ${after}
      order by ${orderBy} limit $9`,
    row: sessionRow.columns,
  });
};

const start = (row: string) => `${row}.starts_at`;

const pages = {
  createdAt: {
    asc: selectPage('webinars.select_session_page_oldest_first', { order: 'asc' }),
    desc: selectPage('webinars.select_session_page', { order: 'desc' }),
  },
  startsAt: {
    asc: selectPage('webinars.select_session_page_by_start', { value: start, order: 'asc' }),
    desc: selectPage('webinars.select_session_page_by_start_descending', { value: start, order: 'desc' }),
  },
};

/** A page of a webinar's sessions. Throws webinar_not_found. */
export async function listSessions(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListSessionsInput>,
) {
  const { webinarId, status, kind, from, to } = filters;
  const { sort = 'createdAt', order = sort === 'startsAt' ? 'asc' : 'desc' } = filters;
  await findWebinar(reader, webinarId);
  const scope = { list: 'sessions', accountId: reader.accountId, filters };
  const after = cursorPlace(cursor, scope);
  const rows = await reader.query(pages[sort][order], [
    reader.accountId,
    webinarId,
    kind ?? null,
    status ?? null,
    toTime(from),
    toTime(to),
    after?.id ?? null,
    reader.now,
    limit + 1,
    ...(sort === 'startsAt' ? [after?.time ?? null] : []),
  ]);
  const toItem = (row: (typeof rows)[number]) => sessionToOutput(sessionRow.toEntity(row), reader.now);
  const timeOf = (row: (typeof rows)[number]) => row.starts_at;
  return toPage(rows, { limit, scope, toItem, ...(sort === 'startsAt' && { timeOf }) });
}

/** The output of one session. Throws webinar_not_found, session_not_found. */
export async function getSession(
  reader: AccountReader,
  { webinarId, sessionId }: z.output<typeof SessionInput>,
) {
  await findWebinar(reader, webinarId);
  const session = await reader.em.findOne(Session, {
    accountId: reader.accountId,
    id: sessionId,
    webinarId,
  });
  if (!session) throw webinarErrors.session_not_found();
  return sessionToOutput(session, reader.now);
}
