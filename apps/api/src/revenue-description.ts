// The section of the API reference about inbound revenue webhooks. They are no operations: callers have a signing secret, no API key.

interface Provider {
  name: string;
  eventTypes: readonly string[];
}

/** Integrators copy this code. A test sends an event with it. */
export const describeRevenueWebhooks = (
  baseUrl: string,
  providers: readonly Provider[],
): string => `# Revenue webhooks

Send purchases, refunds and chargebacks to the service, and it credits them to attendees, webinars and offers. Owners find the addresses
and secrets of a workspace in the dashboard under Settings, Revenue.

| Address | Body | Signature |
|---|---|---|
| \`POST ${baseUrl}/api/webhooks/revenue/{accountId}/generic\` | The generic payload | \`X-Service-Signature\` |
| \`POST ${baseUrl}/api/webhooks/revenue/{accountId}/stripe\` | Events of Stripe | \`Stripe-Signature\`, with the secret that Stripe issues |

## The generic payload

| Field | Type | Rules |
|---|---|---|
| \`event_id\` | string | Your unique id of the event, 1 to 255 characters, such as \`order_1001:paid\`. An event is stored once for each \`type\`. |
| \`type\` | string | \`purchase\`, \`refund\` or \`chargeback\`. |
| \`email\` | string | The e-mail address of the buyer. |
| \`amount_minor\` | integer | In minor units of the currency by ISO 4217: cents, or yen. Zero or positive for a purchase, zero or negative for a refund or a chargeback. At most 12 digits. |
| \`currency\` | string | Three letters of ISO 4217. |
| \`timestamp\` | string | ISO 8601 with its UTC offset. Not before the year 2000 and at most one day in the future. |
| \`original_transaction_id\` | string or null | For a refund or a chargeback: the \`event_id\` of the purchase. The event stays unpaired until that purchase arrives, and rules fire then. Without it the purchase is found by e-mail, currency and time. For a renewal of a subscription: the \`event_id\` of its first purchase, whose credit it gets. |
| \`click_id\` | string or null | The \`svc_click\` that the link of an offer has added to your URL. |
| \`registration_id\` | string or null | The id of a registration of the buyer, if you know it. It finds the buyer, also under another address. What the buyer did last before the purchase gets the credit, so that may be another registration of theirs. |

Other fields are ignored, and so is a \`click_id\` or a \`registration_id\` that is no id of the workspace. A body has at most 256 kB
and 10,000 members. A name that occurs twice is refused, and so is an amount with a fraction or an exponent.

## Sign events

\`X-Service-Signature\` is \`sha256=\` and the hex HMAC-SHA256 of the exact bytes of the body. The key is the whole text of the secret
(\`whsec_...\`), in UTF-8:

\`\`\`js
import { createHmac } from 'node:crypto';

export async function sendEvent(url, secret, event) {
  const body = JSON.stringify(event);
  const hmac = createHmac('sha256', secret);
  const digest = hmac.update(body).digest('hex');
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': 'sha256=' + digest,
    },
    body,
  });
}
\`\`\`

\`\`\`sh
digest=$(openssl dgst -sha256 -hmac "$SECRET" -r event.json)
curl "$URL" --data-binary @event.json \\
  -H "Content-Type: application/json" \\
  -H "X-Service-Signature: sha256=\${digest%% *}"
\`\`\`

## Send events with an API key

A tool that cannot sign sends the same payload with a key that has the scope \`revenue:write\`: one with \`POST /revenue/events\`, up to
200 with \`POST /revenue/events/bulk\`. The rules for names and amounts are the same,
and a body with many events has at most 20,000 members. An event counts once, also if it comes both ways.

\`\`\`sh
curl "${baseUrl}/api/v1/revenue/events" --data-binary @event.json \\
  -H "Content-Type: application/json" -H "Authorization: Bearer $API_KEY"
\`\`\`

## Answers to events

| Status | Meaning |
|---|---|
| \`202\` | \`{"status": "accepted", "id"}\`: stored. |
| \`200\` | \`{"status": "duplicate", "id"}\`: the event was stored before. |
| \`200\` | \`{"status": "conflict", "id", "message"}\`: an event with this \`event_id\` and \`type\` was stored before with other content. That one is kept. Owners can read the other one for a week. |
| \`400\`, \`422\` | The event is not valid and was not stored. \`issues\` names every problem. Owners can read it for a week. |
| \`413\`, \`415\` | The body has more than 256 kB, or it is compressed. |
| \`401\` | The signature is not valid. The answer is the same for an unknown account and for one without a secret. |
| \`429\`, \`503\` | Send the event again after \`Retry-After\` seconds. |

An answer is sent after the event is stored, and an event is never stored twice. So repeat an event until it is answered with \`2xx\`.

Every event of Stripe with a valid signature is answered \`200\`. Its \`status\` is \`stored\`, \`duplicate\`, \`conflict\`, \`ignored\` for a type that is no
revenue, or \`not_understood\`. These types are read: ${stripeTypes(providers)}.
Several events of one payment count once. If you select \`invoice.paid\`, select \`invoice_payment.paid\` too: it names the payment of an
invoice, so that the invoice counts once and refunds find it. From API version 2025-03-31 on, a payment that an invoice may still join is in
the ledger at once, and rules fire when the invoice has joined it, after a minute at the latest. With API versions from 2022-11-15 to before 2024-10-28, select \`charge.refunded\`: its refund is the difference
to \`previous_attributes\`. Events of Stripe's test mode count like those of live mode, so test with
the secret of a workspace that you use for tests only. An offer whose URL is a payment link (\`https://buy.stripe.com/...\`) gets
\`client_reference_id\` with the click and \`prefilled_email\` with the attendee's address, unless the URL sets them. From a page of your own, pass the click on as \`client_reference_id\`, as
\`metadata.svc_click\`, or the registration as \`metadata.registration_id\`. Later payments of a subscription get the credit of the first one.

Events of a suspended workspace are stored, counted and answered like all others.`;

const stripeTypes = (providers: readonly Provider[]): string =>
  providers
    .filter(({ name }) => name === 'stripe')
    .flatMap(({ eventTypes }) => eventTypes.map((type) => `\`${type}\``))
    .join(', ');
