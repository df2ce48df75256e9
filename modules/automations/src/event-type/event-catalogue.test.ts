import { expect, test } from 'vitest';
import { buildEnvelope } from './envelope.ts';
import { envelopeOf, eventCatalogue } from './event-catalogue.ts';
import { allEventTypes, subscribableEventTypes } from './event-types.ts';

const startOfSession = new Date('2026-11-20T17:00:00Z');

test('the catalogue lists every event type once and marks those that a subscription can receive', () => {
  expect(eventCatalogue.map((entry) => entry.type)).toEqual([...allEventTypes]);
  expect(eventCatalogue.filter((entry) => entry.subscribable).map((entry) => entry.type)).toEqual(
    subscribableEventTypes,
  );
});

test('every sample is a valid body of its type and has only fields of its schema', () => {
  for (const { type, sample, schema } of eventCatalogue) {
    expect(envelopeOf(type).parse(sample), type).toEqual(sample);
    const { event_data } = schema['properties'] as { event_data: { properties?: object } };
    expect(Object.keys(event_data.properties ?? {}), type).toEqual(
      expect.arrayContaining(Object.keys(sample.event_data)),
    );
  }
});

test('a sample has the same fields as a built envelope, in the same order', () => {
  const built = buildEnvelope(
    {
      type: 'joined',
      data: {},
      webinar: { id: 'w1', title: 'Launch' },
      session: { id: 's1', kind: 'on_demand', startsAt: startOfSession, endsAt: startOfSession },
      registration: { id: 'r1', name: 'Ada', email: 'ada@example.com', utmSource: null } as never,
    },
    new Date('2026-11-20T09:00:00Z'),
  );
  expect(envelopeOf('joined').safeParse(built).success).toBe(true);
  const shape = (envelope: object) =>
    Object.entries(envelope).map(([key, value]) => [key, Object.keys(value ?? {})]);
  const { sample } = eventCatalogue.find(({ type }) => type === 'joined')!;
  expect(shape({ ...sample, timestamp: null })).toEqual(shape({ ...built, timestamp: null }));
});

test('a schema refuses a body of another type and a body without a required field', () => {
  const { sample } = eventCatalogue[0]!;
  expect(envelopeOf('joined').safeParse(sample).success).toBe(false);
  const { attendee: _attendee, ...rest } = sample;
  expect(envelopeOf('registered').safeParse(rest).success).toBe(false);
  expect(envelopeOf('registered').safeParse({ ...sample, invented_later: 1 }).success).toBe(true);
  expect(envelopeOf('registered').safeParse({ ...sample, is_refire: false }).success).toBe(false);
});
