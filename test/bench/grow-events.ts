// Events of attendees over three years: they are kept, so their monthly partitions only become more.
import { randomBytes, randomUUID } from 'node:crypto';
import { createService, type ServiceRouter } from '@service/composition';
import { createId, ensurePartitions, startOfPeriod, type Database } from '@service/database';
import { createLog } from '@service/log';
import { createReply } from '@service/trpc';
import { attendeesModule } from '@service/attendees';

type CreatedService = Awaited<ReturnType<typeof createService>>;
type Procedures = ReturnType<ServiceRouter['createCaller']>;

export interface FilledEvents extends AsyncDisposable {
  procedures: Procedures;
  connections: CreatedService['connections'];
  accountId: string;
  userId: string;
  webinarId: string;
  sessionId: string;
  /** Has evaluated each registration. */
  ruleId: string;
  /** Registered in the first of the filled months. */
  oldRegistrationId: string;
  /** Registered in the last one. */
  newRegistrationId: string;
  /** Made in the first month and clicked 360 times since then, as often in each month. */
  interactionId: string;
}

/** On one offer. */
const clicks = 360;

interface Fill {
  url: string;
  rows: number;
  /** Whole months up to the last one. */
  months: number;
  now: Date;
}

/** Ten events for each registration, as in a session; the months are vacuumed and analysed as autovacuum would have done. */
export async function fillEvents(
  { pool }: Pick<Database, 'pool'>,
  { url, rows, months, now }: Fill,
): Promise<FilledEvents> {
  const first = startOfPeriod('month', now, -months);
  await ensurePartitions(pool, attendeesModule.partitions, { now: first, daysAhead: 0, monthsAhead: months });
  const world = await createWorld(url, now);
  const { accountId, webinarId } = world;
  const madeAt = new Date(first.getTime() + 60_000);
  const interactionId = await copyRow(pool, 'webinars.interaction', { id: world.interactionId, at: madeAt });
  const registered = { id: world.registrationId, email: 'old@example.com' };
  const oldRegistrationId = await copyRow(pool, 'attendees.registration', { ...registered, at: madeAt });
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    for (let month = 0; month < months; month += 1) {
      const [startsAt, endsAt] = [
        startOfPeriod('month', first, month),
        startOfPeriod('month', first, month + 1),
      ];
      const own =
        month === 0 ? oldRegistrationId : month === months - 1 ? world.registrationId : randomUUID();
      await client.query(insertMonth, [
        accountId,
        webinarId,
        own,
        interactionId,
        Math.floor(rows / months),
        startsAt.getTime() + 120_000,
        endsAt.getTime(),
        clicks / months,
      ]);
      const name = startsAt.toISOString().slice(0, 7).replace('-', '');
      await client.query(`vacuum (analyze) attendees.attendee_event_${name}`);
    }
  } finally {
    client.release(true);
  }
  return { ...world, interactionId, oldRegistrationId, newRegistrationId: world.registrationId };
}

/** A webinar with an offer and a registration, made through the modules' doors. */
async function createWorld(databaseUrl: string, now: Date) {
  const log = createLog('bench', { level: 'error' });
  const service = await createService({
    databaseUrl,
    name: 'bench',
    encryptionKey: randomBytes(32).toString('base64'),
    encryptionKeysOld: [],
    baseUrl: 'http://localhost',
    rateLimit: { requests: 1, windowSeconds: 1 },
    idempotencyWindowHours: 1,
    webhookAllowedCidrs: ['127.0.0.0/8'],
    webhookAllowHttp: true,
    retryScheduleSeconds: [0],
    log,
  });
  const [accountId, userId] = [randomUUID(), randomUUID()];
  const procedures = service.router.createCaller({
    principal: { kind: 'member', name: 'Ada', accountId, userId, role: 'owner' },
    database: service.database,
    now,
    log,
    requestId: createId(),
    reply: createReply(),
  });
  const startsAt = new Date(startOfPeriod('day', now, 2).getTime() + 3_600_000).toISOString();
  const once = { frequency: 'once', startDate: startsAt.slice(0, 10), time: startsAt.slice(11, 16) } as const;
  const { id: webinarId } = (
    await procedures.webinars.create({ title: 'Launch', schedule: { recurrences: [once] } })
  ).data;
  await procedures.webinars.publish({ webinarId });
  const rule = await procedures.automations.rules.create({
    webinarId,
    name: 'To the CRM',
    trigger: { type: 'registered', params: {} },
    action: { type: 'webhook', url: 'http://127.0.0.1:9/hook' },
  });
  const person = { name: 'Ada', email: 'ada@example.com', webinarId, sessionTime: startsAt };
  const registration = (await procedures.registrations.create(person)).data;
  const offer = { internalName: 'Offer', headline: 'Offer', showAtSeconds: 0, buttonLabel: 'Buy' };
  const interaction = (
    await procedures.interactions.create({ webinarId, type: 'offer', url: 'https://example.com', ...offer })
  ).data;
  return {
    accountId,
    userId,
    procedures,
    connections: service.connections,
    webinarId,
    sessionId: registration.sessionId,
    ruleId: rule.data.id,
    registrationId: registration.id,
    interactionId: interaction.id,
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** The same row as of another time: its id says when it was made. Returns that id. */
async function copyRow(
  pool: Database['pool'],
  table: 'webinars.interaction' | 'attendees.registration',
  { id, at, ...fields }: { id: string; at: Date; email?: string },
): Promise<string> {
  const copyId = createId(at);
  await pool.query(
    `insert into ${table}
     select (jsonb_populate_record(r, $2::jsonb)).* from ${table} r where id = $1`,
    [id, JSON.stringify({ id: copyId, ...fields })],
  );
  return copyId;
}

const uuidOf = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

// $5 rows between the milliseconds $6 and $7. The first ten are of the registration $3; $8 of all are clicks on $4.
const insertMonth = `
  insert into attendees.attendee_event
    (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
  select $1, (lpad(to_hex(at_ms), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid, $2,
    ${uuidOf('$6::text || n / 1000')},
    case when n < 10 then $3::uuid else ${uuidOf(`$6::text || 'registration' || n / 10`)} end,
    case when n % 2 = 0 or n % ($5::int / $8::int) = 1 then 'cta_click' else 'joined' end,
    to_timestamp(at_ms / 1000.0),
    jsonb_build_object('interactionId',
      case when n % ($5::int / $8::int) = 1 then $4::text else ${uuidOf('$6::text || n % 50')}::text end)
  from (
    select n, $6::bigint + (n * (($7::bigint - $6::bigint)::float8 / $5::int))::bigint as at_ms, md5($6::text || n) as hash
    from generate_series(0, $5::int - 1) n
  ) numbered`;
