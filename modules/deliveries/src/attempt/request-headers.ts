import { signBody, signStandard, type SigningKeys } from '@service/signing';

/** What a request is signed with: hex of ours, base64 of Standard Webhooks. */
export interface Signatures {
  signature: string;
  standardSignature: string;
}

interface SignedRequest extends Signatures {
  deliveryId: string;
  sentAt: Date;
}

export function sign(
  keys: SigningKeys,
  { deliveryId: id, sentAt, body }: { deliveryId: string; sentAt: Date; body: string },
): Signatures {
  const timestampSeconds = toSeconds(sentAt);
  return {
    signature: signBody(keys.body, body),
    standardSignature: signStandard(keys.standard, { id, timestampSeconds, body }),
  };
}

/**
 * The headers of an attempt, names and values in turn: those of our own, and beside them the ones of Standard Webhooks
 * (standardwebhooks.com, 1.0.0). All that history has to keep of them is the signatures.
 */
export const requestHeaders = ({
  deliveryId,
  sentAt,
  signature,
  standardSignature,
}: SignedRequest): string[] => [
  'Content-Type',
  'application/json',
  'User-Agent',
  'Service/1.0',
  'X-Service-Signature',
  signature,
  'webhook-id',
  deliveryId,
  'webhook-timestamp',
  String(toSeconds(sentAt)),
  'webhook-signature',
  standardSignature,
];

const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
