// One attendee who causes every event.
import { eventCatalogue } from '@service/automations';
import { accountWriter } from '@service/database';
import { createAttribution, recordFacts } from '@service/revenue';
import { expect } from 'vitest';
import { factOf } from '../revenue/attribution-world.ts';
import type { Guest, Sent } from './sent.ts';
import type { Hook, TestWebinar } from './test-webinar.ts';
import { minutesAfter, test, type TriggerWorld } from './trigger-world.ts';

const triggers: Record<string, object> = {
  registered: {},
  joined: {},
  left: {},
  no_show: {},
  watched_minutes: { minutes: 1 },
  watched_percent: { percent: 20 },
  video_complete: {},
  cta_click: {},
  handout_download: {},
  poll_response: {},
  chat_response: {},
  branch_taken: {},
  segment_completed: {},
  purchase: {},
  refund: {},
  before_session: { offsetMinutes: 5 },
  after_session: { offsetMinutes: 0 },
  time_elapsed_after_event: { event: 'cta_click', delayMinutes: 60 },
};

interface Prepared {
  webinar: TestWebinar;
  fork: Record<string, string>;
  offer: string;
  handout: string;
  poll: string;
}

/** An adaptive webinar in which an attendee with half of the video has completed it, and is a no-show as well. */
async function prepare(world: TriggerWorld): Promise<Prepared> {
  const attendance = { completionPercent: 50, minSeconds: 86_400 };
  const fields = { kind: 'adaptive', durationSeconds: 1200, attendance };
  const webinar = await world.createWebinar({ publish: false, fields });
  const fork = await webinar.fork();
  const inIntro = { segmentId: fork['intro'] };
  const offer = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy', ...inIntro };
  const handout = { type: 'handout', url: 'https://files.example/', fileName: 'slides.pdf', ...inIntro };
  const poll = {
    type: 'poll',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    ...inIntro,
  };
  const made = {
    offer: await webinar.interaction(offer),
    handout: await webinar.interaction(handout),
    poll: await webinar.interaction(poll),
  };
  await webinar.create('/publish');
  return { webinar, fork, ...made };
}

async function play(world: TriggerWorld, { webinar, fork, offer, handout, poll }: Prepared): Promise<Guest> {
  const { clock, tick } = world;
  const guest = await webinar.attend();
  await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  webinar.start();
  await tick();
  await guest.beat();
  await guest.click(offer);
  await guest.click(handout);
  await guest.answer(poll, 'b');
  await guest.say('Hello');
  await guest.watch(290);
  clock.advance(10);
  await guest.beat({ intervals: [[290, 300]], state: 'ended' });
  await guest.take(fork['intro>short']!);
  await buyAndRefund(world, guest);
  await guest.leave();
  clock.advance(60);
  await tick();
  await world.comeTo(minutesAfter(webinar.sessionTime, 90));
  return guest;
}

async function buyAndRefund({ service, accountId, clock }: TriggerWorld, { email }: Guest): Promise<void> {
  const { subscriber } = service.api.service;
  const purchase = factOf('purchase', { email, occurredAt: clock.now() });
  const refund = factOf('refund', { email, occurredAt: clock.now(), paymentKeys: purchase.paymentKeys });
  await service.db.database
    .ofAccount(accountId)
    .transaction((tx) =>
      recordFacts(
        accountWriter(tx, { accountId, now: new Date() }),
        [purchase, refund],
        createAttribution({ subscriber }),
      ),
    );
}

test('a rule of each event type gets its event once, and a subscription gets each of its events once, in order', async ({
  world,
}) => {
  const context = await prepare(world);
  const { webinar } = context;
  expect(Object.keys(triggers)).toEqual(eventCatalogue.map(({ type }) => type));
  const rules: [string, Hook][] = [];
  for (const [type, params] of Object.entries(triggers)) rules.push([type, await webinar.rule(type, params)]);
  const types = ['registered', 'joined', 'left', 'no_show', 'video_complete', 'cta_click'];
  const all = await webinar.subscribe(types.toReversed());
  const some = await webinar.subscribe(['no_show', 'joined']);
  const guest = await play(world, context);

  const seen: [string, string[]][] = [];
  for (const [type, rule] of rules) seen.push([type, await webinar.typesSent(rule)]);
  expect(seen).toEqual(Object.keys(triggers).map((type) => [type, [type]]));
  for (const [type, rule] of rules) {
    const [{ body }] = (await webinar.sent(rule)) as [Sent];
    expect(fieldsOf(type), type).toEqual(expect.arrayContaining(Object.keys(body.event_data)));
  }
  expect(await webinar.typesSent(all)).toEqual([
    'registered',
    'joined',
    'cta_click',
    'video_complete',
    'left',
    'no_show',
  ]);
  expect(await webinar.typesSent(some)).toEqual(['joined', 'no_show']);

  // A subscription gets the same bodies as the rules, signed with its own secret.
  const texts = new Set((await webinar.sent(all)).map(({ text }) => text));
  for (const [type, rule] of rules.filter(([type]) => types.includes(type)))
    expect(texts, type).toContain((await webinar.sent(rule))[0]!.text);

  const timeline = (await webinar.call(`GET /registrations/${guest.registrationId}/events?limit=100`)).json
    .data;
  expect(timeline.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    'registered',
    'joined',
    'cta_click',
    'handout_download',
    'poll_response',
    'chat_response',
    'watched_minutes',
    'watched_percent',
    'video_complete',
    'segment_completed',
    'branch_taken',
    'purchase',
    'refund',
    'left',
    'no_show',
  ]);
});

/** The fields of `event_data` in the schema of an event type. */
function fieldsOf(type: string): string[] {
  const { schema } = eventCatalogue.find((entry) => entry.type === type)!;
  const { event_data } = schema['properties'] as { event_data: { properties?: object } };
  return Object.keys(event_data.properties ?? {});
}
