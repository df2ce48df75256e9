import type { AttendeeEvent } from '@service/webinars';

/** The body of every outbound webhook. Receivers must accept further fields. */
export interface Envelope {
  event_type: string;
  attendee: {
    name: string;
    email: string;
    registration_id: string;
    utm_source: string | null;
    utm_medium: string | null;
    utm_campaign: string | null;
  };
  webinar: { id: string; title: string };
  event_data: Record<string, unknown>;
  /** When the payload was built, ISO 8601. */
  timestamp: string;
}

/** Built once for an event and frozen: every try and every receiver gets these fields in this order. */
export function buildEnvelope(event: AttendeeEvent, builtAt: Date): Envelope {
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
