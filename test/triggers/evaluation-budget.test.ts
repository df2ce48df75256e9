// The most expensive rules and messages: an event has a budget, and is published even if the budget is spent.
import { createId } from '@service/database';
import { chatMessages } from '@service/attendees';
import { expect } from 'vitest';
import type { Guest } from './sent.ts';
import type { TestWebinar } from './test-webinar.ts';
import { test, type TriggerWorld } from './trigger-world.ts';

/** One character that NFKC expands to eighteen. */
const ligature = 'ﷺ';

const rowsOfMessages = `
  insert into attendees.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
  select r.account_id, m.id, r.webinar_id, r.session_id, r.id, 'chat_response', now(), jsonb_build_object('message', m.message)
  from attendees.registration r, unnest($2::uuid[], $3::text[]) as m (id, message) where r.id = $1`;

/** Writes the messages of an attendee into the database. Sending them would take minutes. */
async function writeMessages(
  { service }: TriggerWorld,
  { registrationId }: Guest,
  messages: readonly string[],
): Promise<void> {
  const { pool } = service.db.database;
  await pool.query(rowsOfMessages, [registrationId, messages.map(() => createId()), messages]);
}

async function deleteLongMessages({ service }: TriggerWorld, { registrationId }: Guest): Promise<void> {
  await service.db.database.pool.query(
    `delete from attendees.attendee_event where registration_id = $1 and length(data ->> 'message') > 900`,
    [registrationId],
  );
}

const createCta = (webinar: TestWebinar): Promise<string> =>
  webinar.interaction({ type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' });

test('a click with the most expensive rules is answered, and the rules beyond its budget are skipped', async ({
  world,
  webinar,
}) => {
  const cta = await createCta(webinar);
  const subscription = await webinar.subscribe(['cta_click']);
  const first = await webinar.rule(
    'cta_click',
    {},
    { conditions: [{ field: 'completed', operator: 'eq', value: false }] },
  );
  const saysPrice = { field: 'chatMessage', operator: 'contains_word', value: 'price' };
  const conditions = Array.from({ length: 20 }, () => saysPrice);
  const worst = [];
  for (let index = 0; index < 5; index += 1) worst.push(await webinar.rule('cta_click', {}, { conditions }));
  const last = await webinar.rule('cta_click');
  const [ada, bob] = [await webinar.attend('Ada'), await webinar.attend('Bob')];
  await writeMessages(world, ada, [
    'The price?',
    ...Array.from({ length: 49 }, (_unused, index) => ligature.repeat(990) + index),
  ]);
  await writeMessages(world, bob, ['The price?']);
  webinar.start();

  expect((await ada.click(cta)).status).toBe(201);
  for (const rule of worst) {
    const [execution] = await webinar.executions(rule);
    expect(execution).toMatchObject({
      outcome: 'skipped',
      skipReason: 'evaluation_budget',
      conditions: [],
      deliveryId: null,
    });
  }
  expect(await webinar.outcomes(first)).toEqual(['matched']);
  // A rule without conditions needs no budget.
  expect(await webinar.outcomes(last)).toEqual(['matched']);
  expect(await webinar.typesSent(subscription)).toEqual(['cta_click']);

  // The event of another attendee has its own budget.
  expect((await bob.click(cta)).status).toBe(201);
  for (const rule of worst) expect(await webinar.outcomes(rule)).toEqual(['evaluation_budget', 'matched']);

  // A skipped rule can still fire.
  await deleteLongMessages(world, ada);
  expect((await ada.click(cta)).status).toBe(201);
  for (const rule of worst) expect((await webinar.outcomes(rule)).at(-1)).toBe('matched');
  expect((await webinar.outcomes(first)).at(-1)).toBe('already_fired');
});

test('conditions read the newest messages of an attendee, up to the limit', async ({ world, webinar }) => {
  const guest = await webinar.attend();
  const messages = Array.from({ length: 60 }, (_unused, index) => `${index}`.padEnd(1000, '.'));
  await writeMessages(world, guest, messages);
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
