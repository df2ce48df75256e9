import { sendRequest, type OutboundAgent, type SendOutcome } from '@service/outbound-http';
import { signBody, signStandard, type SigningKeys } from '@service/signing';

interface SenderOptions {
  agent: OutboundAgent;
  timeoutMs: number;
}

interface Message {
  deliveryId: string;
  /** The same bytes on every try. */
  body: string;
  url: string;
  keys: SigningKeys;
  sentAt: Date;
}

/** The signatures of a request: our own as hex, the one of Standard Webhooks as base64. */
export interface Signatures {
  signature: string;
  standardSignature: string;
}

/** Makes one signed attempt under one deadline. Every behaviour of the receiver is an outcome; it rejects when the fault is ours. */
export type Send = (message: Message) => Promise<{ outcome: SendOutcome; signatures: Signatures }>;

/** Bytes of an answer that are kept. */
const snippetBytes = 2048;

export const createSend =
  ({ agent, timeoutMs }: SenderOptions): Send =>
  async (message) => {
    const { deliveryId, body, url, sentAt } = message;
    const signatures = sign(message);
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

const sign = ({ keys, deliveryId: id, body, sentAt }: Message): Signatures => ({
  signature: signBody(keys.body, body),
  standardSignature: signStandard(keys.standard, { id, timestampSeconds: toSeconds(sentAt), body }),
});

interface SignedRequest extends Signatures {
  deliveryId: string;
  sentAt: Date;
}

/**
 * The headers of an attempt, names and values in turn: our own, then those of Standard Webhooks (standardwebhooks.com, 1.0.0).
 * History keeps only the signatures; all other headers follow from the attempt's row.
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
