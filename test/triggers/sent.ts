// Received webhooks, and the bodies that are expected.
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import type { Received } from '../support/receiver.ts';

export interface Guest extends Attendee {
  name: string;
  email: string;
  session: { id: string; starts_at: string; kind: string };
  utm: Partial<Record<'source' | 'medium' | 'campaign', string>>;
}

export interface Sent {
  deliveryId: string;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  body: any;
}

export interface ExpectedBody {
  guest: Guest;
  type: string;
  data: object;
  /** The expected timestamp. Default: any. */
  at?: Date;
}

/** Reads a webhook. Expects valid headers, a valid timestamp and a signature over the received bytes. */
export function readSent({ headers, body: bytes }: Received, secret: string): Sent {
  const text = bytes.toString();
  const body = JSON.parse(text);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Service/1.0',
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
  });
  expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return { deliveryId: headers['webhook-id'] as string, text, body };
}

/** The expected bytes of a body. */
export const textOf = ({ guest, type, data, at }: ExpectedBody, webinarId: string, builtAt: string): string =>
  JSON.stringify({
    event_type: type,
    attendee: {
      name: guest.name,
      email: guest.email,
      registration_id: guest.registrationId,
      utm_source: guest.utm.source ?? null,
      utm_medium: guest.utm.medium ?? null,
      utm_campaign: guest.utm.campaign ?? null,
    },
    webinar: { id: webinarId, title: 'Launch' },
    session: guest.session,
    event_data: data,
    timestamp: at?.toISOString() ?? builtAt,
  });
