// A workspace with a person in every table that stores something about people, and a search for the person in the whole database.
import { continueErasures } from '@service/attendees';
import { createMailbox, type Mailbox } from '@service/mails';
import type { ContactsWorld } from '../contacts/contacts-world.ts';
import { insertConnection } from '../connections/connection-rows.ts';
import { callRest } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openShop, type Shop } from '../support/shop.ts';
import type { World } from '../support/world.ts';
import type { Attendee } from '../support/attendee.ts';

/** A part of the address and of the name, which nothing else in a database contains. */
export const trace = 'byronette';
export const email = `ada+x.${trace}@example.com`;
const name = 'Ada Byronette';

/** An owner asks for the erasure of the person with this address. */
export async function requestErasure(
  { world }: Pick<ContactsWorld, 'world'>,
  address: string,
): Promise<void> {
  const owner = await openDashboard(world.service, world);
  await owner.mutate('registrations.erasePerson', { email: address });
}

/** The worker that erases, at the time of the world and later. */
export const eraseAll = async (
  {
    world: { service },
    clock,
  }: { world: Pick<World, 'service'>; clock: Pick<ContactsWorld['clock'], 'now' | 'advance'> },
  seconds = 0,
): Promise<void> => {
  clock.advance(seconds);
  const { erasers, secretBox } = service.api.service;
  await continueErasures(service.db.database, {
    erasers,
    secretBox,
    now: clock.now(),
    signal: new AbortController().signal,
    onFailure: (error) => {
      throw error;
    },
  });
};

/** The columns of all tables in which a text is found, in any case. */
export async function findEverywhere({ sql }: ContactsWorld, text: string): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }>(`
    select format('%I.%I', n.nspname, c.relname) as table, quote_ident(a.attname) as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema')`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [hit] = await sql(`select from ${table} where position($1 in lower(${column}::text)) > 0 limit 1`, [
      text,
    ]);
    if (hit) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

/** The mails that the installation keeps. */
export const mailboxOf = ({ world: { service } }: ContactsWorld): Mailbox =>
  createMailbox({ database: service.db.database, secretBox: service.api.service.secretBox });

interface PersonWorld {
  contacts: ContactsWorld;
  shop: Shop;
  ada: Attendee;
  /** The idempotency key of their registration. */
  idempotencyKey: string;
  body: object;
  /** A registration of another person with an idempotency key that names this one. */
  friend: { key: string; body: object; headers: Record<string, string> };
}

/** Registers the person and lets everything happen that writes about them. `hook` is a receiver. */
export async function createPersonWorld(contacts: ContactsWorld, hook: string): Promise<PersonWorld> {
  const { world, sql, connectionId } = contacts;
  const { service, accountId, key } = world;
  const shop = await openShop(service, world);
  await world.rule(hook, {
    trigger: { type: 'joined' },
    conditions: [{ field: 'customFields.company', operator: 'contains', value: 'Ltd' }],
  });
  await world.rule(hook, { trigger: { type: 'chat_response', params: { keywords: ['I am'] } } });
  await world.subscribe(hook);
  const { sessionTime } = world.webinar;
  const body = {
    name,
    email,
    sessionTime,
    customFields: { company: `${trace} Ltd` },
    metadata: { crm: email },
  };
  const idempotencyKey = 'first';
  const registered = await callRest(service, `POST /webinars/${world.webinar.id}/registrations`, {
    key,
    body,
    headers: { 'Idempotency-Key': idempotencyKey, 'User-Agent': `importer for ${email}` },
  });
  const friend = {
    key,
    body: { name: 'bob', email: 'bob@example.com', sessionTime },
    headers: { 'Idempotency-Key': `friend:${email}` },
  };
  await callRest(service, `POST /webinars/${world.webinar.id}/registrations`, friend);
  await callRest(service, `GET /people/${encodeURIComponent(email)}`, { key });
  const ada = await world.attend(email, body);
  await contacts.send();
  const bob = await world.attend('bob@example.com');
  world.startSession();
  for (const attendee of [ada, bob]) {
    await attendee.visit();
    await attendee.beat();
  }
  const said = (await ada.say(`I am ${name}`)).json;
  await bob.say('Hello', said.id);
  await shop.owner.mutate('responses.sendMessage', {
    webinarId: world.webinar.id,
    sessionId: ada.sessionId,
    text: 'Welcome',
    replyTo: said.id,
  });
  await shop.report({ email, event_id: 'order-1', registration_id: registered.json.data.id });
  await shop.report({ email: 'other@example.com', event_id: 'order-1' });
  await sql(
    `insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet)
     select id, 1, account_id, $1, now(), 5, 200, $2 from deliveries.delivery where registration_id = $3`,
    [hook, `Hello ${email}`, ada.registrationId],
  );
  await sql(
    `insert into mails.suppression (account_id, address, reason, added_at, note) values ($1, $2, 'unsubscribed', now(), $2)`,
    [accountId, email],
  );
  await sql(
    `insert into mails.provider_event (account_id, connection_id, event_id, kind, address, received_at)
     values ($1, $2, 'e1', 'bounced_soft', $3, now() - interval '1 minute')`,
    [accountId, connectionId, email],
  );
  await sql(
    `insert into contacts.run (account_id, id, connection_id, status, total, queued, after_contact, started_at, next_at)
     values ($1, gen_random_uuid(), $2, 'running', 2, 1, $3, now(), now())`,
    [accountId, connectionId, email],
  );
  await sql(
    `insert into revenue.credit_decision (account_id, payment_id, why, made_by, made_by_name, made_at)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'Owner', now())`,
    [accountId, `${email} has asked for it`],
  );
  const mailConnectionId = await insertConnection(service, accountId);
  await sql('update connections.connection set reason = $2 where id = $1', [
    mailConnectionId,
    `550 <${email}> is unknown`,
  ]);
  await mailboxOf(contacts).send({
    accountId,
    to: email,
    subject: 'Your place',
    text: 'Hello',
  });
  await service.api.service.activity.flush();
  return { contacts, shop, ada, idempotencyKey, body, friend };
}
