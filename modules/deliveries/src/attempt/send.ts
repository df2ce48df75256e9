import { sendRequest, type OutboundAgent, type SendOutcome } from '@service/outbound-http';
import type { SigningKeys } from '@service/signing';
import { requestHeaders, sign, type Signatures } from './request-headers.ts';

interface SenderOptions {
  agent: OutboundAgent;
  timeoutMs: number;
}

interface Message {
  deliveryId: string;
  /** Frozen: the same bytes on every try. */
  body: string;
  url: string;
  keys: SigningKeys;
  sentAt: Date;
}

export interface Sent {
  outcome: SendOutcome;
  signatures: Signatures;
}

/** How much of an answer is kept, in bytes. */
const snippetBytes = 2048;

/**
 * Makes the function for one signed attempt under one deadline. Whatever the receiver does is an outcome; it rejects when the
 * fault is ours.
 */
export const createSender =
  ({ agent, timeoutMs }: SenderOptions) =>
  async ({ deliveryId, body, url, keys, sentAt }: Message): Promise<Sent> => {
    const signatures = sign(keys, { deliveryId, sentAt, body });
    const outcome = await sendRequest({
      agent,
      url,
      method: 'POST',
      headers: requestHeaders({ deliveryId, sentAt, ...signatures }),
      body,
      deadlineMs: timeoutMs,
      maxResponseBytes: snippetBytes,
    });
    return { outcome, signatures };
  };
