// The most registrations this machine can write: the rows of one, in the transaction they come in, by prepared
// statements and with nothing around them.
import { createId } from '@service/database';
import pg from 'pg';

export interface BareWrite {
  accountId: string;
  webinarId: string;
  sessionId: string;
  /** Of the subscriptions that listen. */
  rules: { id: string; endpointId: string }[];
}

export interface WrittenRegistration {
  registrationId: string;
  deliveryIds: string[];
  /** Of its webhook. */
  body: string;
}

const insertRegistration = {
  name: 'registration',
  text: `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
    values ($1, $2, $3, $4, $5, $6, 'api', now())
    on conflict (account_id, session_id, email) where status <> 'cancelled' do nothing`,
};
const insertEvent = {
  name: 'event',
  text: `insert into attendees.attendee_event
      (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
    values ($1, $2, $3, $4, $5, 'registered', now(), '{}')`,
};
const insertDeliveries = {
  name: 'deliveries',
  text: `with queued as (
      insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
      select id, $1, endpoint_id, case when $5 then now() else 'infinity' end, 0, 0
      from unnest($2::uuid[], $3::uuid[]) as d (id, endpoint_id)
    ), kept as (
      insert into deliveries.body (id, account_id, body) values (($2::uuid[])[1], $1, $4)
    )
    insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body_id, is_refire, attempts_max, created_at)
    select id, $1, endpoint_id, 'registered', nullif(($2::uuid[])[1], id), false, 3, now() from unnest($2::uuid[], $3::uuid[]) as d (id, endpoint_id)`,
};
const insertExecutions = {
  name: 'executions',
  text: `insert into automations.execution
      (account_id, id, webinar_id, rule_id, rule_name, registration_id, session_id, event_id, event_type, outcome,
       condition_results, delivery_id)
    select $1, id, $2, rule_id, 'Subscription', $3, $4, $5, 'registered', 'matched', '[]', delivery_id
    from unnest($6::uuid[], $7::uuid[], $8::uuid[]) as e (id, rule_id, delivery_id)`,
};

const insertMail = {
  name: 'mail',
  text: `with queued as (
      insert into mails.due (account_id, mail_id, priority, due_at, expires_at) values ($1, $2, 0, now(), now() + interval '1 day')
    )
    insert into mails.mail (account_id, id, webinar_id, session_id, registration_id, kind, purpose, to_address)
    values ($1, $2, $3, $4, $5, 'confirmation', 'service', $6)`,
};

/** Writes that many registrations, returns how many a second. */
export async function measureBareWrites(
  url: string,
  target: BareWrite,
  {
    writes,
    concurrency,
    emailOf,
  }: { writes: number; concurrency: number; emailOf: (index: number) => string },
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  let started = 0;
  const lane = async (): Promise<void> => {
    while (started < writes) await writeOne(pool, target, { email: emailOf(started++), isDue: true });
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.end();
  return writes / seconds;
}

/** Writes one registration. `isDue`: workers send its webhooks. */
export async function writeOne(
  pool: pg.Pool,
  target: BareWrite,
  { email, isDue }: { email: string; isDue: boolean },
): Promise<WrittenRegistration> {
  const { accountId, webinarId, sessionId, rules } = target;
  const [registrationId, eventId] = [createId(), createId()];
  const deliveryIds = rules.map(() => createId());
  const body = JSON.stringify({
    event_type: 'registered',
    attendee: {
      name: 'Ada Lovelace',
      email,
      registration_id: registrationId,
      utm_source: null,
      utm_medium: null,
      utm_campaign: null,
    },
    webinar: { id: webinarId, title: 'Webinar 0' },
    session: { id: sessionId, starts_at: new Date().toISOString(), kind: 'scheduled' },
    event_data: {},
    timestamp: new Date().toISOString(),
  });
  const client = await pool.connect();
  const run = (statement: { name: string; text: string }, values: unknown[]) =>
    client.query({ ...statement, values });
  await client.query('begin');
  await run(insertRegistration, [accountId, registrationId, webinarId, sessionId, 'Ada Lovelace', email]);
  await run(insertEvent, [accountId, eventId, webinarId, sessionId, registrationId]);
  const endpointIds = rules.map((rule) => rule.endpointId);
  await run(insertDeliveries, [accountId, deliveryIds, endpointIds, body, isDue]);
  await run(insertExecutions, [
    accountId,
    webinarId,
    registrationId,
    sessionId,
    eventId,
    rules.map(() => createId()),
    rules.map((rule) => rule.id),
    deliveryIds,
  ]);
  await run(insertMail, [accountId, createId(), webinarId, sessionId, registrationId, email]);
  await client.query('commit');
  client.release();
  return { registrationId, deliveryIds, body };
}
