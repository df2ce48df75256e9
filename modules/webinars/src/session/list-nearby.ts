// The sessions of all webinars of an account around now, for the first page of the dashboard.
import { type AccountReader, column, nullable, statement } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { statusAtSql } from '../entities/session.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { occurrencesAfter } from '../schedule/occurrences.ts';
import { dayMs } from '../schedule/zone.ts';

const liveMax = 10;
const upcomingMax = 5;

/** Sessions that are searched for live ones. */
const startedMax = 200;

/** The newest drafts that are searched for a session near, and the days that count as near. */
const draftsMax = 50;
const nearDays = 7;

const NearbySession = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  title: z.string(),
  timezone: z.string(),
  startsAt: instant(),
  /** Null for a session that ends by a call. */
  endsAt: instant().nullable(),
  registrationCount: z.number().int(),
});

export const NearbyOutput = z.object({
  /** Sessions that run now, the latest start first, without on-demand sessions: a webinar can have one for each minute. At most 10. */
  live: z.array(NearbySession),
  /** The next sessions, at most 5. */
  upcoming: z.array(NearbySession),
  /** Drafts whose schedule has a start within seven days, the nearest first. */
  drafts: z.array(z.object({ webinarId: z.uuid(), title: z.string(), startsAt: instant() })),
});

const row = {
  id: column.id,
  webinarId: column.id,
  title: column.text,
  timezone: column.text,
  startsAt: column.time,
  endsAt: nullable(column.time),
  registrationCount: column.integer,
};

const columns = `
  s.id, s.webinar_id as "webinarId", w.title, w.timezone, s.starts_at as "startsAt",
  case when s.control = 'clock' then s.ends_at end as "endsAt", s.registered_count as "registrationCount"`;

// $1 account, $2 now.
const selectUpcoming = statement({
  name: 'webinars.select_upcoming_sessions',
  text: `
    select ${columns} from webinars.session s
    join webinars.webinar w on w.account_id = $1 and w.id = s.webinar_id
    where s.account_id = $1 and s.starts_at > $2 and s.status in ('scheduled', 'live') and s.kind <> 'on_demand'
      and w.status = 'published'
    order by s.starts_at, s.id limit ${upcomingMax}`,
  row,
});

const selectLive = statement({
  name: 'webinars.select_live_sessions',
  text: `
    select ${columns} from (
      select * from webinars.session
      where account_id = $1 and starts_at <= $2 and status in ('scheduled', 'live') and kind <> 'on_demand'
      order by starts_at desc, id desc limit ${startedMax}
    ) s
    join webinars.webinar w on w.account_id = $1 and w.id = s.webinar_id
    where (${statusAtSql('$2')}) = 'live'
    order by s.starts_at desc, s.id desc limit ${liveMax}`,
  row,
});

const selectDrafts = statement({
  name: 'webinars.select_newest_drafts',
  text: `
    select id as "webinarId", title, timezone, schedule from webinars.webinar
    where account_id = $1 and status = 'draft' order by id desc limit ${draftsMax}`,
  row: {
    webinarId: column.id,
    title: column.text,
    timezone: column.text,
    schedule: column.json<Schedule>(),
  },
});

/** A workspace without webinars has three empty lists. */
export async function listNearby({
  query,
  accountId,
  now,
}: AccountReader): Promise<z.input<typeof NearbyOutput>> {
  const [live, upcoming, drafts] = await Promise.all([
    query(selectLive, [accountId, now]),
    query(selectUpcoming, [accountId, now]),
    query(selectDrafts, [accountId]),
  ]);
  const toOutput = ({ startsAt, endsAt, ...session }: (typeof live)[number]) => ({
    ...session,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
  });
  const nearMs = now.getTime() + nearDays * dayMs;
  const near = drafts.flatMap(({ webinarId, title, ...planned }) => {
    const [next] = occurrencesAfter(planned, now.getTime()).take(1);
    if (next === undefined || next.startsAtMs > nearMs) return [];
    return [{ webinarId, title, startsAt: new Date(next.startsAtMs).toISOString() }];
  });
  return {
    live: live.map(toOutput),
    upcoming: upcoming.map(toOutput),
    drafts: near.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)),
  };
}
