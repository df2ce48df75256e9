import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFork } from '../webinars/adaptive-world.ts';
import { type Attendee, createAttendee, type RoomAnswer } from '../support/attendee.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type World } from '../support/world.ts';

const link = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };

let world: World;
/** Ids of interactions by the name in their headline. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await createWorld({ webinar: { replay: { enabled: true } } });
  const add = async (headline: string, fields: object): Promise<void> => {
    ids[headline] = await world.interaction({ ...link, headline, ...fields });
  };
  const when = (field: string, operator: string, value: unknown) => ({
    showWhen: [{ field, operator, value }],
  });
  await add('always', {});
  await add('clicked', when('clickedOffer', 'eq', ids['always']));
  await add('minute', when('watchedMinutes', 'gte', 1));
  await add('news', when('utm.source', 'eq', 'news'));
  await add('asked', { ...when('chatMessage', 'contains', 'price'), availableInReplay: false });
  const recorded = { type: 'chat', authorName: 'Sam', url: undefined, buttonLabel: undefined };
  await add('question', { ...recorded, showAtSeconds: 30 });
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  ids['poll'] = await world.interaction({ type: 'poll', headline: 'poll', options, results: 'live' });
});
afterAll(() => world[Symbol.asyncDispose]());

const headlinesOf = ({ json }: RoomAnswer): string[] | undefined =>
  json.interactions?.map(({ headline }: { headline: string }) => headline).toSorted();

/** A page that sends the version of its list, like the room. */
function pageOf(attendee: Attendee) {
  let version = '';
  const keep = (answer: RoomAnswer): RoomAnswer => {
    version = answer.json.interactionsVersion ?? version;
    return answer;
  };
  return {
    open: async () => keep(await attendee.visit()),
    beat: async () => keep(await attendee.beat({ interactionsVersion: version })),
  };
}

test('an attendee sees what their conditions allow, and the list follows what they do', async () => {
  const ada = await world.attend();
  const bob = await world.attend('bob@example.com', { utm: { source: 'news' } });
  world.startSession();
  const [page, other] = [pageOf(ada), pageOf(bob)];
  const opened = await page.open();
  expect(headlinesOf(opened)).toEqual(['always', 'poll', 'question']);
  expect(opened.json.interactions.find(({ id }: { id: string }) => id === ids['poll'])).toMatchObject({
    results: 'live',
    answered: [],
  });
  const message = opened.json.interactions.find(({ type }: { type: string }) => type === 'chat');
  expect(message).toMatchObject({ authorName: 'Sam', headline: 'question', showAtSeconds: 30 });
  expect(message).not.toHaveProperty('clickUrl');
  expect((await ada.click(message.id)).json.code).toBe('interaction_not_found');
  expect(headlinesOf(await other.open())).toEqual(['always', 'news', 'poll', 'question']);
  expect((await page.beat()).json).not.toHaveProperty('interactions');
  await ada.click(ids['always']!);
  expect(headlinesOf(await page.beat())).toEqual(['always', 'clicked', 'poll', 'question']);
  expect((await page.beat()).json).not.toHaveProperty('interactionsVersion');
  await ada.watch(60);
  await ada.say('What is the PRICE?');
  expect(headlinesOf(await page.beat())).toEqual([
    'always',
    'asked',
    'clicked',
    'minute',
    'poll',
    'question',
  ]);
  // A player that does not know the versions gets no list, and what is not shown can be clicked and seen.
  expect((await ada.beat()).json).not.toHaveProperty('interactions');
  expect((await bob.click(ids['clicked']!)).status).toBe(201);
  expect((await bob.view(ids['minute']!)).status).toBe(204);
  await world.rest(`PATCH /webinars/${world.webinar.id}/interactions/${ids['news']}`, { enabled: false });
  const changed = await eventually('the change reaches an open page', async () => {
    const answer = await other.beat();
    return answer.json.interactions && answer;
  });
  expect(headlinesOf(changed)).not.toContain('news');
});

const eventsOf = async (attendee: Attendee): Promise<string[]> => {
  const { rows } = await world.service.db.database.pool.query(
    'select type from attendees.attendee_event where registration_id = $1 order by id',
    [attendee.registrationId],
  );
  return rows.map(({ type }) => type);
};

test('a replay has its own interactions, may be sought, and counts as nothing but a replay', async () => {
  await world.rule(`${world.service.baseUrl}/none`, {
    trigger: { type: 'watched_minutes', params: { minutes: 1 } },
  });
  const [ada, absent] = [await world.attend('c@example.com'), await world.attend('d@example.com')];
  const page = pageOf(ada);
  await page.open();
  const live = await ada.watch(20);
  const endsAt = Date.parse(world.webinar.sessionTime) + 600_000;
  world.clock.advance((endsAt - world.clock.now().getTime()) / 1000 + 60);
  const replayedAt = async (attendee: Attendee): Promise<unknown> =>
    (await world.get(`/registrations/${attendee.registrationId}`)).attendance.replayWatchedAt;
  const before = await eventsOf(ada);
  // The page of the session sends its last heartbeats late. It does not turn into a replay.
  await ada.beat({ intervals: [[20, 60]], state: 'ended' });
  const late = await page.beat();
  expect(late.json).toMatchObject({ status: 'ended', positionSeconds: 600 });
  expect(late.json).not.toHaveProperty('interactions');
  expect(await replayedAt(ada)).toBeNull();
  for (const person of [ada, absent]) {
    const visit = await person.visit();
    expect(visit.json).toMatchObject({
      phase: 'replay',
      webinar: { seekAllowed: true },
      session: { isReplay: true, positionSeconds: 0 },
    });
    expect(headlinesOf(visit)).toEqual(['always', 'question']);
    const sought = await person.beat({ intervals: [[400, 490]], playhead: 490 });
    expect(sought.json).toMatchObject({ status: 'ended', positionSeconds: 490 });
    expect(await replayedAt(person)).toBe(world.clock.now().toISOString());
    world.clock.advance(200);
    await person.beat({ intervals: [[0, 200]], playhead: 200 });
    expect(await replayedAt(person)).not.toBe(world.clock.now().toISOString());
    expect((await person.say('Anybody?')).json.code).toBe('session_not_live');
  }
  expect(await eventsOf(ada)).toEqual(before);
  expect(await eventsOf(absent)).toEqual(['registered']);
  const watched = (await world.get(`/registrations/${ada.registrationId}`)).attendance.watchedSeconds;
  expect(watched).toBe(live.json.watchedSeconds);
  expect(await world.get(`/registrations/${absent.registrationId}`)).toMatchObject({ status: 'registered' });
});

test('the replay of an adaptive webinar has a path of its own from its entry, and its branches publish nothing', async () => {
  await using adaptive = await createWorld({
    publish: false,
    webinar: { kind: 'adaptive', replay: { enabled: true } },
  });
  const { accountId, key, webinar, create, rest } = adaptive;
  const fork = await createFork({ accountId, key, webinarId: webinar.id, create, call: rest });
  await adaptive.publish();
  const viewer = await adaptive.attend();
  adaptive.startSession();
  await viewer.visit();
  await viewer.take(fork['intro>long']!);
  const endsAt = Date.parse(adaptive.webinar.sessionTime) + 86_400_000;
  adaptive.clock.advance((endsAt - adaptive.clock.now().getTime()) / 1000);
  const again = await viewer.visit();
  expect(again.json).toMatchObject({ phase: 'replay', path: { segmentId: fork['intro'] } });
  expect((await viewer.take(fork['intro>long']!)).json.segmentId).toBe(fork['long']);
  const ended = await viewer.beat({ state: 'ended', segmentId: fork['long'] });
  expect(ended.json.path.segmentId).toBe(fork['end']);
  const { rows: kept } = await adaptive.service.db.database.pool.query(
    `select path ->> 'currentId' as segment from attendees.attendance where registration_id = $1`,
    [viewer.registrationId],
  );
  expect(kept).toEqual([{ segment: fork['long'] }]);
  const { rows } = await adaptive.service.db.database.pool.query(
    `select type from attendees.attendee_event where account_id = $1 order by id`,
    [accountId],
  );
  expect(rows.map(({ type }) => type)).toEqual(['registered', 'branch_taken']);
});

test('a page of a replay is moved neither by a newer page nor by the end of the replay', async () => {
  await using adaptive = await createWorld({
    publish: false,
    webinar: { kind: 'adaptive', replay: { enabled: true, availableHours: 24 } },
  });
  const { accountId, key, webinar, create, rest, clock } = adaptive;
  const fork = await createFork({ accountId, key, webinarId: webinar.id, create, call: rest });
  await adaptive.publish();
  const first = await adaptive.attend();
  adaptive.startSession();
  await first.visit();
  const endsAt = Date.parse(webinar.sessionTime) + 86_400_000;
  clock.advance((endsAt - clock.now().getTime()) / 1000);
  await first.visit();
  await first.take(fork['intro>long']!);
  const joinUrl = `/${first.token}`;
  const second = createAttendee(
    adaptive.service,
    { id: first.registrationId, sessionId: first.sessionId, joinUrl },
    clock,
  );
  expect((await second.visit()).json.path.segmentId).toBe(fork['intro']);
  const segmentOf = async (beat: object) => (await second.beat(beat)).json.path.segmentId;

  for (const state of ['playing', 'ended'] as const)
    expect((await first.beat({ state, segmentId: fork['long']! })).json).not.toHaveProperty('path');
  expect((await first.take(fork['intro>long']!)).json.code).toBe('branch_not_open');
  expect(await segmentOf({ segmentId: fork['intro'] })).toBe(fork['intro']);

  // A player that does not name its visit moves the newest one.
  await second.call(`POST /branches/${fork['intro>long']}`);
  clock.advance(25 * 3600);
  expect(await segmentOf({ segmentId: fork['long'] })).toBe(fork['long']);
  expect(await segmentOf({ segmentId: fork['long'], state: 'ended' })).toBe(fork['end']);
});

test('a test attendee sees the room, is in no list and no count, and fires nothing', async () => {
  await using own = await createWorld();
  const { sessionId } = await own.attend();
  own.startSession();
  const offer = await own.interaction(link);
  const owner = await openDashboard(own.service, own);
  const where = { webinarId: own.webinar.id, sessionId };
  const { joinUrl } = await owner.mutate('registrations.createTest', where);
  const member = createAttendee(own.service, { id: '', sessionId, joinUrl }, own.clock);
  expect((await member.call('GET ', { headers: { Accept: 'application/json' } })).json.data).toMatchObject({
    phase: 'live',
    isTest: true,
    changeableTo: [],
  });
  await member.visit();
  await member.watch(20);
  expect([(await member.click(offer)).status, (await member.say('Hello')).status]).toEqual([201, 201]);
  const list = await own.rest(`GET /webinars/${own.webinar.id}/registrations`);
  expect(list.json.data.map(({ email }: { email: string }) => email)).toEqual(['ada@example.com']);
  const stats = await own.get(`/interactions/${offer}/stats`);
  expect(stats).toMatchObject({ clicks: 0, views: 0 });
  const { rows } = await own.service.db.database.pool.query(
    `select type from attendees.attendee_event where account_id = $1`,
    [own.accountId],
  );
  expect(rows).toEqual([{ type: 'registered' }]);
});
