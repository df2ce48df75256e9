import { z } from 'zod';
import { json, refersTo, type Operation, type Parameter } from './document.ts';

/** An event that is sent as a signed webhook. */
export interface WebhookEvent {
  /** `event_type` of the envelope. */
  type: string;
  title: string;
  description: string;
  /** False for events that only automation rules can have as a trigger. */
  subscribable: boolean;
  /** The schema of the whole body. */
  envelope: z.ZodType;
  sample: unknown;
}

/** The headers of every request, each with an example. */
const parameters = Object.entries({
  'X-Service-Signature': [
    '`sha256=` and the lower-case hex HMAC-SHA256 of the exact body. The key is the whole secret.',
    `sha256=${'9f86d081884c7d65'.repeat(4)}`,
  ],
  'webhook-id': [
    'The id of the delivery. It is the same for every attempt. Use it to detect duplicates.',
    '019aa1c2-0b6e-7c1f-a3d2-5e8f7a9b0c1d',
  ],
  'webhook-timestamp': ['The time of the signature of this attempt, in Unix seconds.', '1795194000'],
  'webhook-signature': [
    'The signature of the Standard Webhooks specification: `v1,` and base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  'User-Agent': ['The name of this service.', 'Service/1.0'],
}).map(([name, [description, example]]): Parameter => ({
  in: 'header',
  name,
  description: description!,
  required: true,
  schema: { type: 'string' },
  example,
}));

const responses = {
  '2XX': {
    description:
      'Received. Answer within 10 seconds, and process the event afterwards. The body of the answer is ignored.',
  },
  '4XX': { description: 'Not received. The delivery is retried later. Answer `401` to a wrong signature.' },
  '5XX': { description: 'Not received. The delivery is retried later.' },
};

interface Sent extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  body: string;
  example: unknown;
}

const requestOf = ({ body, example, ...texts }: Sent, tag: string): { post: Operation } => ({
  post: {
    ...texts,
    tags: [tag],
    security: [],
    parameters,
    requestBody: { required: true, content: { [json]: { schema: refersTo(body), example } } },
    responses,
  },
});

/** The `webhooks` section of the document, with an entry for each event. */
export function describeWebhooks(events: readonly WebhookEvent[], tag: string) {
  const requests = events.map((event): [string, { post: Operation }] => {
    const sent = {
      operationId: `on${pascalCase(event.type)}`,
      summary: event.title,
      description: `${event.description}\n\n${event.subscribable ? subscribable : rulesOnly}`,
      body: schemaName(event),
      example: event.sample,
    };
    return [event.type, requestOf(sent, tag)];
  });
  return Object.fromEntries(requests);
}

/**
 * What an operation makes the service send to the URL in its body. Generators that do not read `webhooks` find the schemas of events
 * here.
 */
export function callbacksOf(
  { operationId }: Operation,
  { url, tag, events }: { url: string; tag: string; events: readonly WebhookEvent[] },
): Operation['callbacks'] {
  const sent = {
    operationId: `${operationId}Event`,
    summary: 'An event occurred',
    description: 'The operations of this group describe each event.',
    body: anyEvent,
    example: events[0]!.sample,
  };
  return { event: { [`{$request.body#/${url}}`]: requestOf(sent, tag) } };
}

const anyEvent = 'WebhookEvent';

/** The schemas of the bodies of events and of any event, with their names in the document. */
export function bodiesOf(events: readonly WebhookEvent[]): z.ZodType[] {
  if (events.length === 0) return [];
  const bodies = events.map((event) => event.envelope.meta({ id: schemaName(event) }));
  const any = z.discriminatedUnion('event_type', bodies as never);
  return [...bodies, any.meta({ id: anyEvent, description: 'The body of a webhook.' })];
}

const subscribable = 'Sent to subscriptions with this event type and to automation rules with this trigger.';
const rulesOnly = 'Sent to automation rules with this trigger. Subscriptions cannot have this event type.';

const schemaName = ({ type }: WebhookEvent): string => `${pascalCase(type)}Event`;

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
