import { createId } from '@service/database';
import { attendeeEventTypes, type AttendeeEventType } from '@service/attendees';
import { expect, test } from 'vitest';
import { createSubscriberWorld, happened, said } from './subscriber-world.ts';

const offer = createId();
const poll = createId();

test('a rule fires if all conditions are met, and the execution has expected and actual values', async () => {
  await using world = await createSubscriberWorld();
  const conditions = [
    { field: 'watchedPercent', operator: 'gte', value: 50 },
    { field: 'joined', operator: 'eq', value: true },
    { field: 'clickedOffer', operator: 'eq', value: offer },
    { field: 'pollAnswer', operator: 'eq', value: { interactionId: poll, optionId: 'b' } },
  ];
  const ruleId = await world.rule({ type: 'left' }, { conditions });
  const facts = {
    joined: true,
    watchedPercent: 60,
    clicks: { [offer]: 'offer' },
    answers: { [poll]: ['b'] },
  } as const;
  const ada = await world.registrant('ada@example.com');
  const bob = await world.registrant('bob@example.com');
  await world.publish([
    happened(ada, 'left', { facts: { ...facts, clicks: { [offer]: 'cta' } } }),
    happened(bob, 'left', { facts, data: { reason: 'closed' } }),
  ]);

  const actual = [60, true, [offer], [{ interactionId: poll, optionId: 'b' }]];
  const results = conditions.map(({ value, ...rest }, index) => ({
    ...rest,
    expected: value,
    actual: actual[index],
    passed: true,
  }));
  const [matched, skipped] = await world.executions();
  expect(matched).toMatchObject({ outcome: 'matched', skipReason: null, conditions: results });
  expect(skipped).toMatchObject({ outcome: 'skipped', skipReason: 'condition_not_met', deliveryId: null });
  expect(skipped.conditions).toEqual(results.with(2, { ...results[2]!, actual: [], passed: false }));
  const bodies = await world.bodies({ ruleId });
  expect(bodies).toMatchObject([
    { event_type: 'left', attendee: { email: 'bob@example.com' }, event_data: { reason: 'closed' } },
  ]);
});

test('a condition on the chat applies to the messages of the attendee, or to the message of the event', async () => {
  await using world = await createSubscriberWorld();
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

test('an event that the params of a trigger leave out has no execution', async () => {
  await using world = await createSubscriberWorld();
  const [mine, other] = [createId(), createId()];
  const ada = await world.registrant('ada@example.com');
  const cases: [AttendeeEventType, object, object, object][] = [
    ['watched_minutes', { minutes: 5 }, { mark: 5 }, { mark: 10 }],
    ['watched_percent', { percent: 50 }, { mark: 50 }, { mark: 5 }],
    [
      'cta_click',
      { interactionId: mine },
      { data: { interactionId: mine } },
      { data: { interactionId: other } },
    ],
    [
      'handout_download',
      { interactionId: mine },
      { data: { interactionId: mine } },
      { data: { interactionId: other } },
    ],
    [
      'poll_response',
      { interactionId: mine.toUpperCase(), optionId: 'b' },
      { data: { interactionId: mine, optionId: 'b' } },
      { data: { interactionId: mine, optionId: 'a' } },
    ],
    [
      'chat_response',
      { keywords: ['price'] },
      { data: { message: 'Price?' } },
      { data: { message: 'Hello' } },
    ],
    ['branch_taken', { branchId: mine }, { data: { branch_id: mine } }, { data: { branch_id: other } }],
    [
      'segment_completed',
      { segmentId: mine },
      { data: { segment_id: mine } },
      { data: { segment_id: other } },
    ],
  ];
  for (const [type, params] of cases) await world.rule({ type, params });
  await world.publish(cases.map(([type, , , out]) => happened(ada, type, out)));
  expect(await world.executions()).toEqual([]);
  await world.publish(cases.map(([type, , meant]) => happened(ada, type, meant)));
  const fired = (await world.executions()).map(({ eventType, outcome }) => [eventType, outcome]);
  expect(fired.toReversed()).toEqual(cases.map(([type]) => [type, 'matched']));
});

test('a subscription gets only its event types, and every endpoint gets the same body', async () => {
  await using world = await createSubscriberWorld();
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

test('a rule that is switched off or deleted does not fire and has no execution', async () => {
  await using world = await createSubscriberWorld();
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

test('the interest contains the marks of enabled rules, ascending and without duplicates', async () => {
  await using world = await createSubscriberWorld();
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
