// A provider that only tests have: another header, another encoding of the signature, another body. The list of providers is the
// only place that names it.
import { createHmac } from 'node:crypto';
import type { RevenueProvider } from '@service/revenue';

/** `Harbor-Mac: <base64>` over `type=sale&ref=1&cents=4900`. */
export const harbor: RevenueProvider = {
  name: 'harbor',
  secret: { madeBy: 'provider', pattern: /^hb_/, hint: 'It begins with hb_.' },
  eventTypes: [],
  verify({ headers, body, keys }) {
    const keyIndex = keys.findIndex((key) => macOf(key, body) === headers['harbor-mac']);
    return keyIndex === -1 ? { isValid: false, reason: 'wrong_signature' } : { isValid: true, keyIndex };
  },
  read(body, { now }) {
    const fields = new URLSearchParams(body.toString());
    const id = fields.get('ref')!;
    if (fields.get('type') !== 'sale') return { kind: 'ignored' };
    return {
      kind: 'facts',
      facts: [
        {
          provider: 'harbor',
          eventId: id,
          objectId: id,
          type: 'purchase',
          email: null,
          amountMinor: Number(fields.get('cents')),
          currency: 'USD',
          // The same in each repetition: its events have no time.
          occurredAt: new Date(now.toISOString().slice(0, 10)),
          paymentKeys: [id],
          clickId: null,
          registrationId: null,
        },
      ],
    };
  },
  refusesInvalid: false,
  answer: ({ kind }) => ({ status: 203, body: { harbor: kind } }),
  createTestEvent({ secret, eventId }) {
    const body = Buffer.from(`type=sale&ref=${eventId}&cents=0`);
    return { headers: { 'harbor-mac': macOf(secret, body) }, body };
  },
};

/** The signature in base64. */
export const macOf = (key: Parameters<typeof createHmac>[1], body: Buffer): string =>
  createHmac('sha256', key).update(body).digest('base64');
