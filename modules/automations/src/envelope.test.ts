import { expect, test } from 'vitest';
import { buildEnvelope } from './envelope.ts';

const event = {
  id: 'e1',
  type: 'registered',
  occurredAt: new Date(0),
  data: {},
  webinar: { id: 'w1', title: 'Launch' },
  registration: {
    accountId: 'a1',
    id: 'r1',
    webinarId: 'w1',
    sessionId: 's1',
    name: 'Ada',
    email: 'ada@example.com',
    utmSource: 'mail',
    utmMedium: null,
    utmCampaign: null,
    source: 'api',
    registeredAt: new Date(0),
  },
} as const;

test('the envelope has the fields of the specification and no others', () => {
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
    event_data: {},
    timestamp: '2026-11-20T09:00:00.000Z',
  });
});
