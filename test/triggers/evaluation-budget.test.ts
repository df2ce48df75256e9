// Rules and messages at their worst: an event has a budget, and never fails because of it.
import { createId } from '@service/database';
import { chatMessages } from '@service/attendees';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** NFKC makes eighteen characters of it. */
const ligature = 'ﷺ';

const rowsOfMessages = `
  insert into attendees.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
  select r.account_id, m.id, r.webinar_id, r.session_id, r.id, 'chat_response', now(), jsonb_build_object('message', m.message)
  from attendees.registration r, unnest($2::uuid[], $3::text[]) as m (id, message) where r.id = $1`;

/** Writes what somebody has said; over the room it would take minutes. */
async function writeMessages({ registrationId }: Guest, messages: readonly string[]): Promise<void> {
  const { pool } = world.service.db.database;
  await pool.query(rowsOfMessages, [registrationId, messages.map(() => createId()), messages]);
}

async function deleteLongMessages({ registrationId }: Guest): Promise<void> {
  const { pool } = world.service.db.database;
  await pool.query(
    `delete from attendees.attendee_event where registration_id = $1 and length(data ->> 'message') > 900`,
    [registrationId],
  );
}

const createCta = (show: Show): Promise<string> =>
  show.interaction({ type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' });

test('a click with the worst rules is answered, and the rules that its budget does not reach are skipped', async () => {
  const show = await world.show();
  const cta = await createCta(show);
  const subscription = await show.subscribe(['cta_click']);
  const first = await show.rule(
    'cta_click',
    {},
    { conditions: [{ field: 'completed', operator: 'eq', value: false }] },
  );
  const saysPrice = { field: 'chatMessage', operator: 'contains_word', value: 'price' };
  const conditions = Array.from({ length: 20 }, () => saysPrice);
  const worst = [];
  for (let index = 0; index < 5; index += 1) worst.push(await show.rule('cta_click', {}, { conditions }));
  const last = await show.rule('cta_click');
  const [ada, bob] = [await show.attend('Ada'), await show.attend('Bob')];
  await writeMessages(ada, [
    'The price?',
    ...Array.from({ length: 49 }, (_unused, index) => ligature.repeat(990) + index),
  ]);
  await writeMessages(bob, ['The price?']);
  show.start();

  expect((await ada.click(cta)).status).toBe(201);
  for (const rule of worst) {
    const [execution] = await show.executions(rule);
    expect(execution).toMatchObject({
      outcome: 'skipped',
      skipReason: 'evaluation_budget',
      conditions: [],
      deliveryId: null,
    });
  }
  expect(await show.outcomes(first)).toEqual(['matched']);
  // Without conditions there is nothing to be evaluated.
  expect(await show.outcomes(last)).toEqual(['matched']);
  expect(await show.typesSent(subscription)).toEqual(['cta_click']);

  // Another attendee's event has a budget of its own.
  expect((await bob.click(cta)).status).toBe(201);
  for (const rule of worst) expect(await show.outcomes(rule)).toEqual(['evaluation_budget', 'matched']);

  // A rule that was left over may still fire.
  await deleteLongMessages(ada);
  expect((await ada.click(cta)).status).toBe(201);
  for (const rule of worst) expect((await show.outcomes(rule)).at(-1)).toBe('matched');
  expect((await show.outcomes(first)).at(-1)).toBe('already_fired');
});

test('a message with more keywords to look for than its budget reaches is published, and history says what was left over', async () => {
  const show = await world.show();
  const rules = [];
  for (let index = 0; index < 18; index += 1) {
    const keywords = Array.from({ length: 20 }, (_unused, word) => `${ligature.repeat(95)}${index}-${word}`);
    rules.push(await show.rule('chat_response', { keywords }));
  }
  const any = await show.rule('chat_response');
  const guest = await show.attend();
  show.start();
  expect((await guest.say(ligature.repeat(1000))).status).toBe(201);
  expect(await show.outcomes(rules.at(-1)!)).toEqual(['evaluation_budget']);
  expect(await show.outcomes(any)).toEqual(['matched']);
  expect((await guest.say('Hello')).status).toBe(201);
  expect((await show.executions(any)).length).toBe(2);
});

test('of what somebody has said the newest messages are read, as many as fit', async () => {
  const show = await world.show();
  const guest = await show.attend();
  const messages = Array.from({ length: 60 }, (_unused, index) => `${index}`.padEnd(1000, '.'));
  await writeMessages(guest, messages);
  const { query, pool } = world.service.db.database;
  const { rows } = await pool.query<{ account_id: string }>(
    'select account_id from attendees.registration where id = $1',
    [guest.registrationId],
  );
  const accountId = rows[0]!.account_id;
  const read = async (options?: { charactersMax: number }) =>
    (await chatMessages({ query, accountId }, [guest], options)).get(guest.registrationId);
  expect(await read()).toEqual(messages.slice(10).toReversed());
  expect(await read({ charactersMax: 2500 })).toEqual(messages.slice(58).toReversed());
});
