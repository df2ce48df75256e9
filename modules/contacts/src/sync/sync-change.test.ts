import { expect, test } from 'vitest';
import type { SyncSettings } from '@service/connections';
import { consentOf, syncParts, type PersonAttendee, type PersonFacts } from './sync-change.ts';

const webinarId = '0197a000-0000-7000-8000-000000000001';
const otherId = '0197a000-0000-7000-8000-000000000002';

const sync: SyncSettings = {
  enabled: true,
  fields: {
    lastWebinar: { key: 'last_webinar', policy: 'always' },
    registeredAt: { key: 'registered_at', policy: 'always' },
    attended: { key: 'attended', policy: 'always' },
    watchedPercent: { key: 'watched', policy: 'if_empty' },
    lastSeenAt: { key: 'seen', policy: 'always' },
    revenue: { key: 'revenue', policy: 'always' },
  },
  tags: { prefix: 'w ', use: ['registered', 'attended', 'missed', 'watched50', 'clicked', 'purchased'] },
  lists: ['weekly'],
  webinarsLeftOut: [],
  domainsLeftOut: [],
};

interface Given {
  id?: string;
  status?: PersonAttendee['registration']['status'];
  webinar?: string;
  day?: number;
  consent?: boolean;
  purchased?: boolean;
  joined?: boolean;
  seconds?: number;
  minSeconds?: number;
  percent?: number;
  clicks?: PersonAttendee['facts']['clicks'];
  seenDay?: number;
}

const day = (number: number): Date => new Date(Date.UTC(2026, 10, number));

const attendee = ({ status = 'registered', day: startsOn = 2, ...given }: Given = {}): PersonAttendee => ({
  registration: {
    id: given.id ?? 'r',
    webinarId: given.webinar ?? webinarId,
    status,
    registeredAt: day(1),
    consent:
      given.consent === undefined ? null : { given: given.consent, text: null, at: day(1).toISOString() },
    purchased: given.purchased ?? false,
  },
  session: { startsAt: day(startsOn) },
  webinar: {
    title: given.webinar === otherId ? 'Other' : 'Launch',
    attendance: { minSeconds: given.minSeconds ?? 0, completionPercent: 90, noShowGraceMinutes: 15 },
  },
  facts: {
    joined: given.joined ?? false,
    watchedSeconds: given.seconds ?? 0,
    watchedPercent: given.percent ?? 0,
    completed: false,
    clicks: given.clicks ?? {},
    answers: {},
  },
  lastSeenAt: given.seenDay === undefined ? null : day(given.seenDay),
});

const person = (attendees: PersonAttendee[], more: Partial<PersonFacts> = {}): PersonFacts => ({
  email: 'ada@example.com',
  attendees,
  revenue: new Map(),
  ...more,
});

const tagsOf = (...attendees: PersonAttendee[]) => syncParts(person(attendees), sync)!.tags;

const money = (...sums: [currency: string, netMinor: number][]): PersonFacts['revenue'] =>
  new Map([['r', sums.map(([currency, netMinor]) => ({ currency, netMinor }))]]);

test('a new registrant has the webinar, the time and the tag', () => {
  expect(syncParts(person([attendee()]), sync)).toEqual({
    fields: {
      last_webinar: { value: 'Launch', policy: 'always' },
      registered_at: { value: day(1).toISOString(), policy: 'always' },
      watched: { value: 0, policy: 'if_empty' },
    },
    tags: { 'w registered': true },
    lists: {},
    events: [],
  });
});

test('the values of an attendee are the highest and latest of all registrations', () => {
  const { fields } = syncParts(
    person(
      [
        attendee({ joined: true, percent: 80, seenDay: 2 }),
        attendee({ id: 's', webinar: otherId, joined: true, percent: 30, seenDay: 9, day: 9 }),
      ],
      { revenue: money(['USD', 4900]) },
    ),
    sync,
  )!;
  expect(fields).toMatchObject({
    last_webinar: { value: 'Other' },
    attended: { value: true },
    watched: { value: 80 },
    seen: { value: day(9).toISOString() },
    revenue: { value: 49 },
  });
});

test.each<[string, Record<string, boolean>, Given[]]>([
  ['who joined', { attended: true, missed: false }, [{ joined: true }]],
  ['who has not watched for the minimum time yet', {}, [{ joined: true, seconds: 59, minSeconds: 60 }]],
  [
    'who has watched for the minimum time',
    { attended: true, missed: false },
    [{ joined: true, seconds: 60, minSeconds: 60 }],
  ],
  [
    'who left before the minimum time',
    { missed: true },
    [{ status: 'no_show', joined: true, seconds: 59, minSeconds: 60 }],
  ],
  ['who missed it', { missed: true }, [{ status: 'no_show' }]],
  [
    'who attended after a missed one',
    { attended: true, missed: false },
    [{ status: 'no_show' }, { joined: true, day: 9 }],
  ],
  [
    'who missed a later one',
    { attended: false, missed: true },
    [
      { joined: true, day: 3 },
      { status: 'no_show', day: 9 },
    ],
  ],
  [
    'who watched half',
    { attended: true, missed: false, 'watched 50': true },
    [{ joined: true, percent: 50 }],
  ],
  [
    'who clicked',
    { attended: true, missed: false, clicked: true },
    [{ joined: true, clicks: { a: 'offer' } }],
  ],
  ['who bought', { purchased: true }, [{ purchased: true }]],
])('a person %s has these tags', (_title, expected, given) => {
  const named = Object.fromEntries(Object.entries(expected).map(([name, added]) => [`w ${name}`, added]));
  expect(tagsOf(...given.map((one) => attendee(one)))).toEqual({ 'w registered': true, ...named });
});

test('a cancelled registration takes the tag away, and another live one keeps it', () => {
  expect(tagsOf(attendee({ status: 'cancelled' }))).toEqual({ 'w registered': false });
  expect(tagsOf(attendee({ status: 'cancelled' }), attendee())).toEqual({ 'w registered': true });
});

test('a refund takes the tag away and is subtracted, and other currencies are not added', () => {
  const refunded = syncParts(person([attendee()], { revenue: money(['USD', 0]) }), sync)!;
  expect(refunded.tags).toMatchObject({ 'w purchased': false });
  expect(refunded.fields).toMatchObject({ revenue: { value: 0 } });
  const { fields } = syncParts(person([attendee()], { revenue: money(['USD', 4900], ['JPY', 500]) }), sync)!;
  expect(fields).toMatchObject({ revenue: { value: 500 } });
});

test('the last answer to a consent text counts', () => {
  const answerOf = (...answers: (boolean | undefined)[]) =>
    consentOf(answers.map((consent) => attendee(consent === undefined ? {} : { consent })))?.given;
  expect(answerOf(undefined)).toBeUndefined();
  expect(answerOf(false)).toBe(false);
  expect(answerOf(true, undefined)).toBe(true);
  expect(answerOf(true, false)).toBe(false);
  expect(consentOf([attendee({ consent: true })])).toEqual({ given: true, at: day(1) });
});

test('webinars, domains and subdomains are left out, and so is everything without the setting', () => {
  const parts = (settings: Partial<SyncSettings>, email = 'ada@example.com') =>
    syncParts(person([attendee()], { email }), { ...sync, ...settings });
  expect(parts({ webinarsLeftOut: [webinarId] })).toBeUndefined();
  expect(parts({ domainsLeftOut: ['example.com'] })).toBeUndefined();
  expect(parts({ domainsLeftOut: ['example.com'] }, 'ada@mail.example.com')).toBeUndefined();
  expect(parts({ domainsLeftOut: ['ample.com'] })).toBeDefined();
  expect(parts({ enabled: false })).toBeUndefined();
});
