import { afterAll, beforeAll, expect, test } from 'vitest';
import ICAL from 'ical.js';
import { type Attendee, createAttendee, type RoomAnswer } from '../support/attendee.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';
import { createWorld, type World } from '../support/world.ts';

const minute = 60_000;
const html = { headers: { Accept: 'text/html,application/xhtml+xml' } };

let world: World;
let startsAt: Date;
/** Another session of the webinar, two hours later. */
let later: string;
beforeAll(async () => {
  const replay = { enabled: true, availableHours: 24 };
  world = await createWorld({ webinar: { replay, room: { lobbyMinutes: 5 } } });
  startsAt = new Date(world.webinar.sessionTime);
  later = new Date(startsAt.getTime() + 120 * minute).toISOString();
  await world.create('/sessions', { startsAt: later, control: 'api' });
});
afterAll(() => world[Symbol.asyncDispose]());

const pageOf = (attendee: Attendee): Promise<RoomAnswer> =>
  attendee.call('GET ', { headers: { Accept: 'application/json' } });

/** Moves the clock of rooms to a time from the start of the session, in milliseconds. */
const goTo = (ms: number): void =>
  world.clock.advance((startsAt.getTime() + ms - world.clock.now().getTime()) / 1000);

const post = (attendee: Attendee, path: string, body: unknown = {}): Promise<RoomAnswer> =>
  attendee.call(`POST ${path}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the page of an attendee opens no visit, and its phases begin and end at their moments', async () => {
  const ada = await world.attend();
  goTo(-5 * minute - 1);
  const early = await pageOf(ada);
  expect([early.status, early.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(early.json.data).toMatchObject({
    serverNow: world.clock.now().toISOString(),
    locale: 'en',
    phase: 'scheduled',
    opensAt: new Date(startsAt.getTime() - 5 * minute).toISOString(),
    webinar: { id: world.webinar.id, title: 'Launch', presenters: [], takeaways: [] },
    branding: { name: expect.any(String) },
    attendee: { name: 'ada' },
    session: { startsAt: startsAt.toISOString(), status: 'scheduled' },
    replay: { availableUntil: null },
    changeableTo: [{ startsAt: later, kind: 'scheduled', isFull: false }],
    nextStep: null,
    isTest: false,
  });
  const refused = await ada.visit();
  expect([refused.status, refused.json.code]).toEqual([409, 'room_not_open']);
  expect(refused.json.details).toEqual({ opensAt: early.json.data.opensAt });
  const { rowCount } = await world.service.db.database.pool.query(
    `select from attendees.attendance where registration_id = $1`,
    [ada.registrationId],
  );
  expect(rowCount).toBe(0);
  const endsAt = 600_000;
  const moments: [number, string, number, string][] = [
    [-5 * minute, 'lobby', 201, 'lobby'],
    [-1, 'lobby', 201, 'lobby'],
    [0, 'live', 201, 'live'],
    [endsAt - 1, 'live', 201, 'live'],
    [endsAt, 'replay', 201, 'replay'],
    [endsAt + 24 * 60 * minute - 1, 'replay', 201, 'replay'],
    [endsAt + 24 * 60 * minute, 'ended', 410, 'replay_over'],
  ];
  for (const [ms, phase, status, visit] of moments) {
    goTo(ms);
    const { data } = (await pageOf(ada)).json;
    expect(data.phase, `${ms}`).toBe(phase);
    const answer = await ada.visit();
    expect([answer.status, answer.json.phase ?? answer.json.code], `${ms}`).toEqual([status, visit]);
  }
  const { rows } = await world.service.db.database.pool.query(
    `select type from attendees.attendee_event where registration_id = $1`,
    [ada.registrationId],
  );
  expect(rows).toEqual([{ type: 'registered' }]);
});

test('the page is HTML for a browser, and says what to do with a link that is not valid', async () => {
  await using own = await createWorld({ beside: world });
  const ada = await own.attend('ada@example.com', { name: '</script><b>' });
  const page = await ada.call('GET ', html);
  expect(page.status).toBe(200);
  for (const [name, value] of Object.entries({
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }))
    expect(page.headers.get(name), name).toBe(value);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(dataIn(page)).toEqual({ page: (await pageOf(ada)).json.data });
  expect((await ada.call('HEAD ', html)).status).toBe(200);
  await own.create(`/registrations/${ada.registrationId}/rotate-token`, {});
  const forged = {
    ...ada,
    call: (route: string, init?: RequestInit) => otherCall('x'.repeat(72), route, init),
  };
  for (const attendee of [ada, forged]) {
    const refused = await attendee.call('GET ', html);
    expect([refused.status, dataIn(refused)]).toEqual([410, { refusal: { code: 'join_link_expired' } }]);
    for (const [route, body] of [
      ['GET ', undefined],
      ['GET /calendar.ics', undefined],
      ['POST /session', { sessionTime: later }],
      ['POST /cancellation', {}],
    ] as const) {
      const init = body
        ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
        : { headers: { Accept: 'application/json' } };
      const answer = await attendee.call(route, init);
      expect([answer.status, answer.json.code], route).toEqual([410, 'join_link_expired']);
    }
  }
});

const otherCall = (token: string, route: string, init?: RequestInit): Promise<RoomAnswer> =>
  createAttendee(world.service, { id: '', sessionId: '', joinUrl: `/${token}` }, world.clock).call(
    route,
    init,
  );

const dataIn = ({ text }: RoomAnswer): unknown =>
  JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(text)![1]!);

test('an attendee who has not joined moves to another session or cancels, and the calendar file follows', async () => {
  await using own = await createWorld({ beside: world });
  const other = new Date(Date.parse(own.webinar.sessionTime) + 120 * minute).toISOString();
  await own.create('/sessions', { startsAt: other, control: 'api' });
  const ada = await own.attend();
  const eventOf = async (): Promise<ICAL.Event> => {
    const { status, headers, text } = await ada.call('GET /calendar.ics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    return new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')!);
  };
  const before = await eventOf();
  expect(before.startDate.toJSDate().toISOString()).toBe(own.webinar.sessionTime);
  const wrong = await post(ada, '/session', { sessionTime: '2031-01-01T00:00:00Z' });
  expect([wrong.status, wrong.json.code]).toEqual([422, 'session_time_unavailable']);
  const moved = await post(ada, '/session', { sessionTime: other });
  expect([moved.status, moved.json.data.session.startsAt]).toEqual([200, other]);
  expect((await own.get(`/registrations/${ada.registrationId}`))['sessionTime']).toBe(other);
  const after = await eventOf();
  expect([after.uid, after.startDate.toJSDate().toISOString()]).toEqual([before.uid, other]);
  const cancelled = await post(ada, '/cancellation');
  expect([cancelled.status, cancelled.json.data.phase]).toEqual([200, 'cancelled']);
  expect(cancelled.json.data.nextStep).toEqual({
    kind: 'next_session',
    url: expect.stringContaining(`/w/${cancelled.json.data.webinar.slug}`),
  });
  expect((await post(ada, '/cancellation')).status).toBe(200);
  expect((await own.get(`/registrations/${ada.registrationId}`))['status']).toBe('cancelled');
  expect((await ada.visit()).json.code).toBe('join_link_expired');
  expect((await post(ada, '/session', { sessionTime: other })).json.code).toBe('registration_cancelled');
});

test('an attendee who joins while they cancel stays registered', async () => {
  const tomorrow = new Date(world.clock.now().getTime() + 86_400_000);
  tomorrow.setUTCSeconds(0, 0);
  await using own = await createWorld({ beside: world, sessionTime: tomorrow.toISOString() });
  const ada = await own.attend();
  const { pool } = own.service.db.database;
  const joining = await pool.connect();
  try {
    await joining.query('begin');
    await joining.query(`update attendees.registration set status = 'attending' where id = $1`, [
      ada.registrationId,
    ]);
    const cancelling = post(ada, '/cancellation');
    await eventually('the cancellation waits', async () => (await countWaiting(pool)) > 0);
    await joining.query('commit');
    const refused = await cancelling;
    expect([refused.status, refused.json.code]).toEqual([409, 'registration_attended']);
  } finally {
    joining.release(true);
  }
});

test('a lost link is mailed to a registered address only, and the answer is always the same', async () => {
  await using own = await createWorld({ beside: world });
  const neighbour = await own.neighbour();
  const ada = await own.attend();
  const { slug } = (await pageOf(ada)).json.data.webinar;
  await own.create(`/registrations/${ada.registrationId}/rotate-token`, {});
  const mailsOf = async (accountId = own.accountId): Promise<number> =>
    (await own.service.db.database.pool.query(`select from mails.mail where account_id = $1`, [accountId]))
      .rowCount!;
  // The same address is registered there.
  await neighbour.attend();
  const theirs = await mailsOf(neighbour.accountId);
  const first = await mailsOf();
  const ask = (body: object): Promise<RoomAnswer> =>
    otherCall('link-requests', 'POST ', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const strangers = [
    { token: ada.token, email: 'eve@example.com' },
    { slug, email: 'eve@example.com' },
    { slug: 'unknown-k3f9x2', email: 'ada@example.com' },
    { token: 'x'.repeat(72), email: 'ada@example.com' },
  ];
  const answers = [];
  for (const body of strangers) answers.push(await ask(body));
  expect(await mailsOf()).toBe(first);
  answers.push(await ask({ token: ada.token, email: 'ada@example.com' }));
  await eventually('the link is mailed', async () => (await mailsOf()) === first + 1);
  answers.push(await ask({ slug, email: 'Ada@Example.com ' }));
  await eventually('the link is mailed again', async () => (await mailsOf()) === first + 2);
  const expected = JSON.stringify({ data: { state: 'link_by_mail' } });
  for (const { status, text } of answers) expect([status, text]).toEqual([202, expected]);
  expect(await mailsOf()).toBe(first + 2);
  expect(await mailsOf(neighbour.accountId)).toBe(theirs);
  const bad = await ask({ email: 'x' });
  expect([bad.status, bad.json.issues.map(({ path }: { path: string }) => path).toSorted()]).toEqual([
    422,
    ['email', 'token'],
  ]);
});
