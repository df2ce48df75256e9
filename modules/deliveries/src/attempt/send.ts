import { sendRequest, type OutboundAgent, type SendOutcome } from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';
import { signBody, signStandard, signingKeys, type SigningKeys } from '@service/signing';
import { LRUCache } from 'lru-cache';
import type { ClaimedDelivery } from './claim.ts';

interface SenderOptions {
  agent: OutboundAgent;
  secretBox: SecretBox;
  timeoutMs: number;
}

export type Send = (delivery: ClaimedDelivery, now: Date) => Promise<SendOutcome>;

/** How much of an answer is kept, in bytes. */
const snippetBytes = 2048;

/** Secrets kept open, with their keys prepared. */
const keysMax = 10_000;

/**
 * Makes the function for one signed attempt: the frozen body, one deadline, the endpoint's URL and secret as they were
 * when the delivery was claimed. Whatever the receiver does is an outcome; it rejects when the fault is ours.
 */
export function createSender({ agent, secretBox, timeoutMs }: SenderOptions): Send {
  // By the sealed text, which changes with every rotation.
  const keysBySealed = new LRUCache<string, SigningKeys>({ max: keysMax });

  const keysOf = ({ sealedSecret, endpointId }: ClaimedDelivery): SigningKeys => {
    let keys = keysBySealed.get(sealedSecret);
    if (keys === undefined) {
      keys = signingKeys(secretBox.open(sealedSecret, endpointId));
      keysBySealed.set(sealedSecret, keys);
    }
    return keys;
  };

  return async (delivery, now) => {
    const keys = keysOf(delivery);
    const { deliveryId: id, body, url } = delivery;
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    return sendRequest({
      agent,
      url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Service/1.0',
        'X-Service-Signature': signBody(keys.body, body),
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signStandard(keys.standard, { id, timestampSeconds, body }),
      },
      body,
      deadlineMs: timeoutMs,
      maxResponseBytes: snippetBytes,
    });
  };
}
