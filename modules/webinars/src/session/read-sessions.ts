import { raw } from '@mikro-orm/postgresql';
import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Session } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListSessionsInput, SessionInput } from './schemas.ts';
import { statusAtSql } from './status-at.ts';
import { sessionToOutput } from './to-output.ts';

/** A page of a webinar's sessions, newest first. Throws webinar_not_found. */
export async function listSessions(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListSessionsInput>,
) {
  const { webinarId, status, kind, from, to } = filters;
  await findWebinar(reader, webinarId);
  const scope = { list: 'sessions', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const query = reader.em
    .createQueryBuilder(Session, 's')
    .where({ accountId: reader.accountId, webinarId, ...(kind && { kind }) })
    .orderBy({ id: 'desc' })
    .limit(limit + 1);
  if (after) query.andWhere({ id: { $lt: after } });
  if (from) query.andWhere({ startsAt: { $gte: new Date(from) } });
  if (to) query.andWhere({ startsAt: { $lt: new Date(to) } });
  if (status) query.andWhere({ [raw(`(${statusAtSql})`, [reader.now, reader.now])]: status });
  const sessions = await query.getResultList();
  return toPage(sessions, { limit, scope, toItem: (session) => sessionToOutput(session, reader.now) });
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
