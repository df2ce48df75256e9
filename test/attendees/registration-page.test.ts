import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { codeOf } from '../support/api.ts';
import { createPageWorld, type PageWorld, type Visitor } from '../support/page-visitor.ts';
import type { World } from '../support/world.ts';
import { countRows } from './registrations.ts';

let pages: PageWorld;
beforeAll(async () => {
  pages = await createPageWorld();
});
afterAll(() => pages[Symbol.asyncDispose]());

const consentText = 'Send me offers.';

/** The mails that were queued for the workspace, by kind and address. */
const mailsOf = async ({ accountId }: World): Promise<string[]> => {
  const text = `select kind || ' ' || to_address as mail from mails.mail where account_id = $1 order by id`;
  const { rows } = await pages.service.db.database.pool.query<{ mail: string }>(text, [accountId]);
  return rows.map(({ mail }) => mail);
};

test('the page stores a registration with answers, campaign and consent, and shows its link only to the call that made it', async () => {
  const fields = [
    { key: 'company', label: 'Company', type: 'text', required: true },
    { key: 'size', label: 'Size', type: 'select', options: ['1', '2 to 9'] },
  ];
  const world = await pages.workspace({ registrationForm: { fields, consentText } });
  const ada = pages.visitor();
  const made = await ada.register(world.slug, {
    name: '<script>alert(1)</script>',
    email: 'ADA@example.com',
    timezone: 'Asia/Kathmandu',
    locale: 'de',
    customFields: { company: 'Engines' },
    consent: true,
    utm: { source: 'mail' },
    referrer: 'https://example.com/',
    clickIds: { gclid: 'g-1' },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const [stored] = await world.get('/registrations');
  const { joinUrl, sessionId, sessionTime } = stored;
  expect(stored).toMatchObject({
    name: '<script>alert(1)</script>',
    email: 'ada@example.com',
    timezone: 'Asia/Kathmandu',
    locale: 'de',
    customFields: { company: 'Engines' },
    consent: { given: true, text: consentText, at: expect.stringMatching(/Z$/) },
    utm: { source: 'mail' },
    referrer: 'https://example.com/',
    metadata: { gclid: 'g-1' },
    source: 'page',
  });
  const { calendar, ...answer } = made.json.data;
  expect(answer).toEqual({
    state: 'registered',
    joinUrl,
    session: {
      id: sessionId,
      kind: 'scheduled',
      startsAt: sessionTime,
      endsAt: new Date(Date.parse(sessionTime) + 600_000).toISOString(),
    },
  });
  expect(calendar.icsUrl).toBe(`${joinUrl}/calendar.ics`);
  const start = sessionTime.replaceAll(/[-:]|\.000/g, '');
  expect(new URL(calendar.googleUrl).searchParams.get('dates')).toMatch(`${start}/`);
  expect(new URL(calendar.outlookUrl).searchParams.get('startdt')).toBe(sessionTime);

  const stranger = pages.visitor();
  const again = await stranger.register(world.slug, {
    name: 'Eve',
    email: ' Ada@Example.com ',
    customFields: { company: 'Eve Ltd' },
    consent: false,
  });
  expect([again.status, again.json]).toEqual([202, { data: { state: 'link_by_mail' } }]);
  expect(await world.get('/registrations')).toEqual([stored]);
  expect(await mailsOf(world)).toEqual(['confirmation ada@example.com', 'confirmation ada@example.com']);

  const refused = await stranger.register(world.slug, {
    name: ' ',
    email: 'ada',
    customFields: { size: '10', other: 'x' },
    other: 1,
    constructor: 1,
  });
  expect(codeOf(refused)).toEqual([422, 'validation_failed']);
  const pathsOf = ({ json }: typeof refused) => json.issues.map(({ path }: { path: string }) => path);
  expect(pathsOf(refused)).toEqual(['name', 'email', 'other', 'constructor']);
  const answers = await stranger.register(world.slug, { customFields: { size: '10', other: 'x' } });
  expect(pathsOf(answers)).toEqual(['customFields.other', 'customFields.company', 'customFields.size']);
});

test('a form without fields takes no answers, and a webinar without a consent text stores no consent', async () => {
  const world = await pages.workspace();
  const refused = await pages.visitor().register(world.slug, { customFields: { a: 'x'.repeat(1000) } });
  expect(codeOf(refused)).toEqual([422, 'validation_failed']);
  const made = await pages.visitor().register(world.slug, {
    consent: true,
    // The person cannot correct what the browser sends.
    locale: 'en-US@posix',
    timezone: 'Local',
    referrer: 'x'.repeat(3000),
    utm: { source: 'x'.repeat(300) },
    clickIds: { gclid: 'x'.repeat(600) },
  });
  expect(made.status).toBe(201);
  expect((await world.get('/registrations'))[0]).toMatchObject({
    consent: null,
    customFields: {},
    metadata: {},
    locale: null,
    timezone: null,
    referrer: null,
    utm: { source: null },
  });
});

test('where links are only mailed, no answer says whether an address is registered', async () => {
  const world = await pages.workspace({
    registrationPage: { linksByMailOnly: true },
    registrationForm: { capacityPerSession: 1 },
  });
  expect((await pages.visitor().read(world.slug)).linksByMailOnly).toBe(true);
  const answerOf = async (visitor: Visitor, email: string) => {
    const { formToken, slots } = await visitor.read(world.slug);
    pages.clock.advance(3);
    const began = performance.now();
    const body = { name: 'Ada', email, sessionTime: slots[0]!.startsAt, formToken };
    const answer = await visitor.ask(`${world.slug}/registrations`, { method: 'POST', body });
    const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    return { answer, headers, tookMs: performance.now() - began };
  };
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { registrationForm: { capacityPerSession: 2 } });
  const made = await answerOf(pages.visitor(), 'ada@example.com');
  const known = await answerOf(pages.visitor(), 'ada@example.com');
  for (const { answer, tookMs } of [made, known]) {
    expect([answer.status, answer.text]).toEqual([202, '{"data":{"state":"link_by_mail"}}']);
    expect(tookMs).toBeGreaterThan(390);
  }
  expect(known.headers).toEqual(made.headers);
  expect(await mailsOf(world)).toHaveLength(2);

  await world.rest(`PATCH /webinars/${world.webinar.id}`, { registrationForm: { capacityPerSession: 1 } });
  for (const email of ['ada@example.com', 'stranger@example.com']) {
    const { answer, tookMs } = await answerOf(pages.visitor(), email);
    expect(codeOf(answer)).toEqual([409, 'session_full']);
    expect(tookMs).toBeGreaterThan(390);
  }
  // Ada gets her link all the same.
  expect(await mailsOf(world)).toHaveLength(3);
});

test('forms that arrive while another is written are one transaction, and each has its own answer', async () => {
  const world = await pages.workspace();
  const { formToken, slots } = await pages.visitor().read(world.slug);
  pages.clock.advance(3);
  const send = (email: string, sessionTime = slots[0]!.startsAt) =>
    pages.visitor().ask(`${world.slug}/registrations`, {
      method: 'POST',
      body: { name: 'Ada', email, sessionTime, formToken },
    });
  const { database } = pages.service.db;
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  const blocker = await database.begin();
  const lockOfWebinar = 'select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))';
  await blocker.query({ text: lockOfWebinar }, [world.webinar.id]);
  const first = send('first@example.com');
  await eventually('the first form to wait', async () => (await waiting()) === 1);
  const others = [
    send('ada@example.com'),
    send('bob@example.com'),
    send('eve@example.com', '2020-01-01T00:00Z'),
  ];
  for (let call = 0; call < 5; call += 1) await pages.visitor().read(world.slug);
  expect(await waiting()).toBe(1);
  await blocker.rollback();
  const answers = await Promise.all([first, ...others]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 422]);
  expect(new Set(answers.slice(0, 3).map(({ text }) => JSON.parse(text).data.joinUrl)).size).toBe(3);
  const { rows } = await database.pool.query(
    'select distinct xmin::text from attendees.registration where account_id = $1',
    [world.accountId],
  );
  expect(rows).toHaveLength(2);
});

test('programs that fill in hidden fields, are too fast or made the token themselves store nothing', async () => {
  const world = await pages.workspace();
  const other = await pages.workspace();
  const bot = pages.visitor();
  const trapped = await bot.register(world.slug, { website: 'https://spam.example' });
  expect([trapped.status, trapped.text]).toEqual([202, '{"data":{"state":"link_by_mail"}}']);

  const { formToken, slots } = await bot.read(world.slug);
  const { formToken: foreign } = await bot.read(other.slug);
  const send = (token: string) =>
    bot.ask(`${world.slug}/registrations`, {
      method: 'POST',
      body: {
        name: 'Bot',
        email: 'bot@example.com',
        sessionTime: slots[0]!.startsAt,
        formToken: token,
      },
    });
  const expired = [422, 'form_expired'];
  pages.clock.advance(1);
  expect(codeOf(await send(formToken))).toEqual(expired);
  pages.clock.advance(2);
  const forged = (formToken.startsWith('A') ? 'B' : 'A') + formToken.slice(1);
  for (const token of [foreign, forged, '', formToken.slice(1), `${formToken}AA`])
    expect(codeOf(await send(token)), token).toEqual(expired);
  expect(await countRows(pages.service, world, 'attendees.registration')).toBe(0);
  expect((await send(formToken)).status).toBe(201);
  pages.clock.advance(86_400);
  expect(codeOf(await send(formToken))).toEqual(expired);
});

test('a flood ends at the limits of its address and of its network, and does not reach others', async () => {
  const world = await pages.workspace({ schedule: { onDemand: true } });
  const other = await pages.workspace({ schedule: { onDemand: true } });
  const tokens = { [world.slug]: '', [other.slug]: '' };
  for (const slug of Object.keys(tokens)) tokens[slug] = (await pages.visitor().read(slug)).formToken;
  pages.clock.advance(3);
  const send = (visitor: Visitor, slug: string, email: string) =>
    visitor.ask(`${slug}/registrations`, {
      method: 'POST',
      body: { name: 'Ada', email, formToken: tokens[slug], website: 'a bot, so that nothing is written' },
    });
  const statusesOf = async (calls: readonly (() => ReturnType<typeof send>)[]) => {
    const answers = await Promise.all(calls.map((call) => call()));
    const refused = answers.filter(({ status }) => status !== 202);
    for (const answer of refused) {
      expect(codeOf(answer)).toEqual([429, 'too_many_registrations']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    return { taken: answers.length - refused.length, refused: refused.length };
  };

  // One address from many networks.
  const victim = (slug: string) => () => send(pages.visitor(), slug, 'victim@example.com');
  expect(await statusesOf(Array.from({ length: 7 }, () => victim(world.slug)))).toEqual({
    taken: 5,
    refused: 2,
  });
  expect((await victim(other.slug)()).status).toBe(202);

  // One network with many addresses.
  const network = pages.visitor();
  const fromNetwork = (index: number) => () => send(network, world.slug, `n${index}@example.com`);
  expect(await statusesOf(Array.from({ length: 105 }, (_, index) => fromNetwork(index)))).toEqual({
    taken: 100,
    refused: 5,
  });
  expect(codeOf(await send(network, other.slug, 'n@example.com'))).toEqual([429, 'too_many_registrations']);
  expect((await send(pages.visitor(), other.slug, 'n@example.com')).status).toBe(202);
});
