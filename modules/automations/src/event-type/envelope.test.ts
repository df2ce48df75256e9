import { expect, test } from 'vitest';
import { buildEnvelope, Envelope, refireBody } from './envelope.ts';

const startOfSession = new Date('2026-11-20T17:00:00Z');

const event = {
  type: 'registered',
  data: {},
  webinar: { id: 'w1', title: 'Launch' },
  session: { id: 's1', kind: 'scheduled', startsAt: startOfSession, endsAt: startOfSession },
  registration: {
    accountId: 'a1',
    id: 'r1',
    webinarId: 'w1',
    sessionId: 's1',
    name: 'Ada',
    email: 'ada@example.com',
    phone: null,
    timezone: null,
    locale: null,
    customFields: {},
    utmSource: 'mail',
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    referrer: null,
    source: 'api',
    metadata: {},
    consent: null,
    status: 'registered',
    tokenVersion: 1,
    registeredAt: new Date(0),
    cancelledAt: null,
    purchased: false,
  },
} as const;

test('the envelope has the fields of the specification, the session, and no others', () => {
  expect(buildEnvelope(event, new Date('2026-11-20T09:00:00Z'))).toStrictEqual({
    event_type: 'registered',
    attendee: {
      name: 'Ada',
      email: 'ada@example.com',
      registration_id: 'r1',
      utm_source: 'mail',
      utm_medium: null,
      utm_campaign: null,
    },
    webinar: { id: 'w1', title: 'Launch' },
    session: { id: 's1', starts_at: '2026-11-20T17:00:00.000Z', kind: 'scheduled' },
    event_data: {},
    timestamp: '2026-11-20T09:00:00.000Z',
  });
});

test('the body of a redelivery is the first body with a new timestamp and is_refire at the end', () => {
  const first = JSON.stringify(buildEnvelope(event, new Date('2026-11-20T09:00:00Z')));
  const again = refireBody(first, new Date('2026-11-21T10:00:00Z'));
  expect(again).toBe(
    first.replace('2026-11-20T09:00:00.000Z', '2026-11-21T10:00:00.000Z').replace(/}$/, ',"is_refire":true}'),
  );
  expect(refireBody(again, new Date('2026-11-21T10:00:00Z'))).toBe(again);
});

test('the schema describes every first body and the redelivery of a body from before bodies had a session', () => {
  const first = buildEnvelope(event, new Date('2026-11-20T09:00:00Z'));
  const { session: _session, ...former } = first;
  const again = refireBody(JSON.stringify(former), new Date('2026-11-21T10:00:00Z'));
  for (const body of [first, JSON.parse(again)]) expect(Envelope.parse(body)).toEqual(body);
});
