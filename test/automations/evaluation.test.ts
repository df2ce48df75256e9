import { createId } from '@service/database';
import { attendeeEventTypes } from '@service/attendees';
import { expect } from 'vitest';
import { happened, said, test } from './subscriber-world.ts';

const offer = createId();
test('a condition on the chat applies to the messages of the attendee, or to the message of the event', async ({
  world,
}) => {
  const conditions = [{ field: 'chatMessage', operator: 'contains_word', value: 'price' }];
  await world.rule({ type: 'cta_click' }, { conditions });
  await world.rule({ type: 'chat_response' }, { conditions });
  const ada = await world.registrant('ada@example.com');
  const bob = await world.registrant('bob@example.com');
  const elsewhere = { ...bob, registration: { ...bob.registration, sessionId: createId() } };
  const chat = [
    said(elsewhere, 'price, in another session'),
    said(ada, 'the price, said before fifty other messages'),
    ...Array.from({ length: 50 }, (_unused, index) => said(ada, `no ${index}`)),
    said(bob, 'What price?'),
  ];
  await world.transaction(async ({ query, accountId }) => {
    for (const { id, type, data, registration } of chat)
      await query(
        {
          text: `insert into attendees.attendee_event values ($1, $2, $3, $4, $5, $6, now(), $7)`,
        },
        [accountId, id, registration.webinarId, registration.sessionId, registration.id, type, data],
      );
  });
  const click = { data: { interactionId: offer } };
  await world.publish([
    happened(ada, 'cta_click', click),
    happened(bob, 'cta_click', click),
    said(ada, 'One more PRICE'),
    said(bob, 'no more'),
  ]);
  const seen = (await world.executions()).map(
    ({ eventType, registrationId, outcome, conditions: [result] }) => [
      eventType,
      registrationId === ada.registration.id ? 'ada' : 'bob',
      outcome,
      result.actual.length,
      result.actual[0],
    ],
  );
  expect(seen).toEqual([
    ['chat_response', 'bob', 'skipped', 1, 'no more'],
    ['chat_response', 'ada', 'matched', 1, 'One more PRICE'],
    ['cta_click', 'bob', 'matched', 1, 'What price?'],
    ['cta_click', 'ada', 'skipped', 50, 'no 49'],
  ]);
});

test('an event that the params of a trigger leave out has no execution', async ({ world }) => {
  const [mine, other] = [
    await world.interaction({ type: 'cta', url: 'https://example.com/', buttonLabel: 'Go' }),
    createId(),
  ];
  const ada = await world.registrant('ada@example.com');
  await world.rule({ type: 'cta_click', params: { interactionId: mine } });
  const click = (interactionId: string) => happened(ada, 'cta_click', { data: { interactionId } });
  await world.publish([click(other)]);
  expect(await world.executions()).toEqual([]);
  await world.publish([click(mine)]);
  expect(await world.executions()).toMatchObject([{ eventType: 'cta_click', outcome: 'matched' }]);
});

test('a subscription gets only its event types, and every endpoint gets the same body', async ({ world }) => {
  const eventTypes = ['registered', 'joined', 'left', 'no_show', 'video_complete', 'cta_click'];
  const subscribe = async (types: string[]): Promise<string> =>
    (await world.call('POST /webhooks', { url: 'http://127.0.0.1:9/', eventTypes: types })).json.data.id;
  const all = await subscribe(eventTypes);
  const some = await subscribe(['left', 'joined']);
  const ada = await world.registrant('ada@example.com');
  const others = attendeeEventTypes.filter((type) => type !== 'registered');
  await world.publish(others.map((type) => happened(ada, type)));

  const bodies = await world.bodies({ subscriptionId: all });
  expect(bodies.map((body) => body.event_type)).toEqual(eventTypes);
  const same = bodies.filter((body) => ['joined', 'left'].includes(body.event_type));
  expect(await world.bodies({ subscriptionId: some })).toEqual(same);
});

test('a rule that is switched off or deleted does not fire and has no execution', async ({ world }) => {
  const ada = await world.registrant('ada@example.com');
  const off = await world.rule({ type: 'left' });
  const gone = await world.rule({ type: 'left' });
  const { json } = await world.call('POST /webhooks', { url: 'http://127.0.0.1:9/', eventTypes: ['left'] });
  await world.publish([happened(ada, 'left')]);
  expect(await world.executions()).toHaveLength(3);

  const bob = await world.registrant('bob@example.com');
  await world.call(`PATCH /automations/${off}`, { enabled: false });
  await world.call(`DELETE /automations/${gone}`);
  await world.call(`PATCH /webhooks/${json.data.id}`, { active: false });
  await world.publish([happened(bob, 'left')]);
  expect(await world.executions()).toHaveLength(3);

  await world.call(`PATCH /automations/${off}`, { enabled: true });
  await world.publish([happened(bob, 'left')]);
  const [newest, ...before] = await world.executions();
  expect([newest.ruleId, newest.registrationId, before.length]).toEqual([off, bob.registration.id, 3]);
});

test('the interest contains the marks of enabled rules, ascending and without duplicates', async ({
  world,
}) => {
  for (const minutes of [30, 5, 5]) await world.rule({ type: 'watched_minutes', params: { minutes } });
  for (const percent of [100, 9]) await world.rule({ type: 'watched_percent', params: { percent } });
  await world.rule({ type: 'watched_percent', params: { percent: 50 } }, { enabled: false });
  const { minutes, percents } = await world.transaction((tx) =>
    world.subscriber.findInterest(tx, world.webinar.id),
  );
  expect([minutes, percents]).toEqual([
    [5, 30],
    [9, 100],
  ]);
});
