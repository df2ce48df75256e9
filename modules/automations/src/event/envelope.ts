import type { AttendeeEvent } from '@service/attendees';
import { instant } from '@service/trpc';
import { z } from 'zod';
import type { EventType } from './event-types.ts';

const utm = z.string().nullable();

/** The body of every outbound webhook. Receivers must accept further fields, so it is open at every level. */
export const Envelope = z.looseObject({
  event_type: z.string(),
  attendee: z.looseObject({
    name: z.string(),
    email: z.string(),
    registration_id: z
      .string()
      .describe('The registration; with event_type and webinar.id it tells repeats apart.'),
    utm_source: utm,
    utm_medium: utm,
    utm_campaign: utm,
  }),
  webinar: z.looseObject({ id: z.string(), title: z.string().describe('The internal title.') }),
  event_data: z
    .record(z.string(), z.unknown())
    .describe('What belongs to the event type; every field is optional.'),
  timestamp: instant().describe('When this payload was built: ISO 8601, UTC.'),
  is_test: z.literal(true).optional().describe('Only there when it is a sample that somebody sent to try.'),
  is_refire: z.literal(true).optional().describe('Only there when somebody had it sent again.'),
});

export type Envelope = z.output<typeof Envelope>;

/** What a rule acts on: something an attendee did, or a moment it waited for. */
export interface TriggeredEvent extends Omit<AttendeeEvent, 'type'> {
  type: EventType;
}

type Told = Pick<TriggeredEvent, 'type' | 'data' | 'webinar' | 'registration'>;

/** Built once for an event and frozen: every try and every receiver gets these fields in this order. */
export function buildEnvelope(event: Told, builtAt: Date): Envelope {
  const { registration, webinar } = event;
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
    event_data: event.data,
    timestamp: builtAt.toISOString(),
  };
}

/** The same payload built anew because somebody asked for it: only its time differs, and it says so. */
export function refireBody(body: string, builtAt: Date): string {
  const envelope = JSON.parse(body) as Envelope;
  return JSON.stringify({ ...envelope, timestamp: builtAt.toISOString(), is_refire: true });
}
