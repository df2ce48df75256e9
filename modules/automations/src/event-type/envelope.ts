import type { AttendeeEvent } from '@service/attendees';
import { instant } from '@service/trpc';
import { sessionKind } from '@service/webinars';
import { z } from 'zod';
import type { EventType } from './event-types.ts';

const utm = (name: string) =>
  z.string().nullable().describe(`The URL parameter \`${name}\` of the registration.`);

/** The body of every webhook. Receivers must accept further fields, so it is open at every level. */
export const Envelope = z.looseObject({
  event_type: z.string().describe('The event that the webhook reports.'),
  attendee: z
    .looseObject({
      name: z.string().describe('Name from the registration.'),
      email: z.string().meta({ description: 'E-mail address from the registration.', format: 'email' }),
      registration_id: z
        .string()
        .describe(
          'The registration. With event_type and webinar.id it identifies an event that happens once for each attendee.',
        ),
      utm_source: utm('utm_source'),
      utm_medium: utm('utm_medium'),
      utm_campaign: utm('utm_campaign'),
    })
    .meta({ id: 'EventAttendee', description: 'The attendee whom the event is about.' }),
  webinar: z
    .looseObject({
      id: z.string().describe('The id of the webinar.'),
      title: z.string().describe('The internal title.'),
    })
    .meta({ id: 'EventWebinar', description: 'The webinar in which it happened.' }),
  session: z
    .looseObject({
      id: z.string().describe('The id of the session.'),
      starts_at: instant().describe('The planned start of the session: ISO 8601, UTC.'),
      kind: sessionKind,
    })
    .meta({ id: 'EventSession', description: 'The session for which the attendee is registered.' })
    .optional()
    .describe(
      'The session for which the attendee is registered. Absent only in a redelivery of a body that was built before bodies had it.',
    ),
  event_data: z
    .record(z.string(), z.unknown())
    .describe('The data of the event type. Every field is optional.'),
  timestamp: instant().describe('The time at which this payload was built: ISO 8601, UTC.'),
  is_test: z.literal(true).optional().describe('Present only in a test delivery.'),
  is_refire: z.literal(true).optional().describe('Present only in a redelivery.'),
});

export type Envelope = z.output<typeof Envelope>;

/** An event that a rule is evaluated for: an event of an attendee, or one that a timer fires. */
export interface TriggeredEvent extends Omit<AttendeeEvent, 'type'> {
  type: EventType;
}

/**
 * Builds the body once for an event. Every attempt and every receiver gets these fields in this order. The module `deliveries` adds the
 * join link to the empty `event_data` of `registered` when it sends the body.
 */
export function buildEnvelope(
  event: Pick<TriggeredEvent, 'type' | 'data' | 'webinar' | 'registration' | 'session'>,
  builtAt: Date,
): Envelope {
  const { registration, webinar, session } = event;
  return {
    event_type: event.type,
    attendee: {
      name: registration.name,
      email: registration.email,
      registration_id: registration.id,
      utm_source: registration.utmSource ?? null,
      utm_medium: registration.utmMedium ?? null,
      utm_campaign: registration.utmCampaign ?? null,
    },
    webinar: { id: webinar.id, title: webinar.title },
    session: { id: session.id, starts_at: session.startsAt.toISOString(), kind: session.kind },
    event_data: dataOf(event),
    timestamp: builtAt.toISOString(),
  };
}

function dataOf({ type, data }: Pick<TriggeredEvent, 'type' | 'data'>): AttendeeEvent['data'] {
  if (type !== 'chat_response') return data;
  // A reply contains the name and the words of another person, which are for the room only.
  const { reply_to: _quote, ...own } = data;
  return own;
}

/** The body of a redelivery: the earlier body with a new timestamp and `is_refire`. */
export function refireBody(body: string, builtAt: Date): string {
  const envelope = JSON.parse(body) as Envelope;
  return JSON.stringify({ ...envelope, timestamp: builtAt.toISOString(), is_refire: true });
}
