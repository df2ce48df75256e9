// X-Service-Signature: sha256=<hex>, the HMAC-SHA256 of the raw body. The key is the whole text of the secret, like in the webhooks
// that the service sends.
import { AppError } from '@service/errors';
import { signBody } from '@service/signing';
import { matchHmac } from '../../match-hmac.ts';
import type { Reading, RevenueProvider, SignedRequest, Verdict } from '../../provider.ts';
import { payloadToFact } from './payload-to-fact.ts';
import { parseStrictJson } from './strict-json.ts';

const header = 'x-service-signature';

const conflictText =
  'An event of this type with the same event_id and other content was stored before. It was kept, and this one was not stored.';

export const generic: RevenueProvider = {
  name: 'generic',
  secret: { madeBy: 'service' },
  eventTypes: [],
  verify,
  read,
  refusesInvalid: true,
  answer: (outcome) =>
    outcome.kind === 'stored'
      ? { status: 202, body: { status: 'accepted', id: outcome.id } }
      : {
          status: 200,
          body: {
            status: outcome.kind,
            ...('id' in outcome && { id: outcome.id }),
            ...(outcome.kind === 'conflict' && { message: conflictText }),
          },
        },
  createTestEvent({ secret, eventId, now }) {
    const body = Buffer.from(
      JSON.stringify({
        event_id: eventId,
        type: 'purchase',
        email: 'test@example.com',
        amount_minor: 0,
        currency: 'EUR',
        timestamp: now.toISOString(),
        original_transaction_id: null,
      }),
    );
    return { headers: { [header]: signBody(secret, body) }, body };
  },
};

function verify({ headers, body, keys }: SignedRequest): Verdict {
  const given = headers[header];
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(String(given ?? '').trim())?.[1];
  const signatures = hex === undefined ? [] : [Buffer.from(hex, 'hex')];
  const keyIndex = matchHmac(keys, [body], signatures);
  if (keyIndex !== -1) return { isValid: true, keyIndex };
  if (given === undefined) return { isValid: false, reason: 'missing_signature' };
  return { isValid: false, reason: hex === undefined ? 'malformed_signature' : 'wrong_signature' };
}

function read(body: Buffer, { now }: { now: Date }): Reading {
  try {
    return { kind: 'facts', facts: [payloadToFact(parseStrictJson(body, ['amount_minor']), now)] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      kind: 'invalid',
      reason: error.kind === 'invalid' ? 'invalid_fields' : 'malformed_json',
      error,
    };
  }
}
