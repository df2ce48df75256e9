import { ApiError } from './api-error.ts';
import type { RevenueEventInput } from './generated/types.ts';
import { encode, hmacKey } from './hmac.ts';
import { parseJson, send, sendDefaults, type SendOptions } from './send.ts';

interface RevenueWebhookAnswer {
  /** `conflict`: an event with this id and type and other content was stored before, and was kept. */
  status: 'accepted' | 'duplicate' | 'conflict';
  /** The id of the revenue event. */
  id: string;
}

/**
 * Sends a purchase, a refund or a chargeback to the address of Settings > Revenue, signed with the secret of the generic source. Sending the
 * same event again is harmless. Rejects with an ApiError when it is refused.
 */
export async function sendRevenueWebhook(
  { url, secret, ...options }: { url: string; secret: string } & Partial<SendOptions>,
  event: RevenueEventInput,
): Promise<RevenueWebhookAnswer> {
  const body = encode(JSON.stringify(event));
  const key = await hmacKey(encode(secret), 'sign');
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, body));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': `sha256=${hex}` };
  const { response, text } = await send(
    url,
    { method: 'POST', headers, body },
    { ...sendDefaults, ...options },
  );
  const answer = parseJson(text);
  if (!response.ok || answer === undefined)
    throw new ApiError(`POST ${new URL(url).pathname}`, response, answer);
  return answer as RevenueWebhookAnswer;
}
