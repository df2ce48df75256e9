// The most a list can be served at: the same check of the key, the same query and the same answer, written by hand.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

/** Checks a key and counts the request. */
export const admit = {
  name: 'admit',
  text: `
    with found as (
      select account_id from keys.api_key where hash = $1 and 'rest' = any(surfaces) and 'webinars:read' = any(scopes)
    ), counted as (
      insert into keys.rate_window as current (account_id, started_at, used)
      select account_id, date_bin(interval '60 seconds', now(), timestamptz 'epoch'), 1 from found
      on conflict (account_id) do update set
        used = case when excluded.started_at > current.started_at then 1 else current.used + 1 end,
        started_at = greatest(current.started_at, excluded.started_at)
      returning used, extract(epoch from started_at)::float8 + 60 as resets_at
    )
    select account_id, used, resets_at from found, counted`,
};

const list = {
  name: 'list',
  text: `
    select w.*, s.id as next_id, s.starts_at as next_starts_at, s.ends_at as next_ends_at,
      s.registered_count as next_registered_count
    from (
      select * from webinars.webinar where account_id = $1 and status in ('draft', 'published')
      order by id desc limit $2
    ) w
    left join lateral (
      select id, starts_at, ends_at, registered_count from webinars.session
      where account_id = $1 and webinar_id = w.id and kind = 'scheduled' and status = 'scheduled' and starts_at > now()
      order by starts_at limit 1
    ) s on true
    order by w.id desc`,
};

const limitOfWindow = 1_000_000_000;

/** Starts it on a free port. */
export async function startReadCeiling(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = express();
  app.get('/api/v1/webinars', async (request, response) => {
    const key = hash('sha256', request.get('authorization')!.slice('Bearer '.length), 'buffer');
    const admitted = await pool.query({ ...admit, values: [key] });
    if (admitted.rows.length === 0) {
      response.status(401).json({ message: 'Invalid API key' });
      return;
    }
    const { account_id: accountId, used, resets_at: resetsAt } = admitted.rows[0];
    response.set({
      'X-RateLimit-Limit': String(limitOfWindow),
      'X-RateLimit-Remaining': String(limitOfWindow - used),
      'X-RateLimit-Reset': String(resetsAt),
    });
    const limit = Number(request.query['limit'] ?? 25);
    const { rows } = await pool.query({ ...list, values: [accountId, limit + 1] });
    const shown = rows.slice(0, limit);
    const nextCursor = rows.length > limit ? Buffer.from(shown.at(-1).id).toString('base64url') : null;
    response.json({
      data: shown.map(toWebinar),
      pagination: { nextCursor, hasMore: nextCursor !== null },
    });
  });
  const server = app.listen(0);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export const toWebinar = (row: pg.QueryResultRow) => ({
  id: row['id'],
  title: row['title'],
  publicTitle: row['public_title'],
  slug: row['slug'],
  description: row['description'],
  kind: row['kind'],
  status: row['status'],
  locale: row['locale'],
  timezone: row['timezone'],
  durationSeconds: row['duration_seconds'],
  video: row['video'],
  schedule: row['schedule'],
  room: row['room'],
  replay: row['replay'],
  registrationForm: row['registration_form'],
  registrationPage: row['registration_page'],
  attendance: row['attendance'],
  attribution: row['attribution'],
  nextSession: row['next_id'] && {
    id: row['next_id'],
    startsAt: row['next_starts_at'],
    endsAt: row['next_ends_at'],
    registrationCount: row['next_registered_count'],
    status: 'scheduled',
  },
  publishedAt: row['published_at'],
  createdAt: row['created_at'],
  updatedAt: row['updated_at'],
});
