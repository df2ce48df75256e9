import { json, type JsonSchema, type Operation, type Parameter, type Response } from './document.ts';
import { tidySchema } from './tidy-schema.ts';

/** An event that leaves as a signed webhook. */
export interface WebhookEvent {
  /** `event_type` of the envelope. */
  type: string;
  title: string;
  description: string;
  /** Whether API subscriptions may listen to it; the others are for rules of the dashboard. */
  subscribable: boolean;
  /** JSON Schema of the whole envelope. */
  schema: JsonSchema;
  sample: unknown;
}

const text = (description: string, example: string): Omit<Parameter, 'in' | 'name'> => ({
  description,
  required: true,
  schema: { type: 'string' },
  example,
});

const headers: Record<string, Omit<Parameter, 'in' | 'name'>> = {
  'X-Service-Signature': text(
    '`sha256=` and the lower-case hex HMAC-SHA256 of the exact body, keyed with the whole secret.',
    `sha256=${'9f86d081884c7d65'.repeat(4)}`,
  ),
  'webhook-id': text(
    'The delivery. The same on every try, so it is what to remember against duplicates.',
    '019aa1c2-0b6e-7c1f-a3d2-5e8f7a9b0c1d',
  ),
  'webhook-timestamp': text('When this try was signed, in Unix seconds.', '1795194000'),
  'webhook-signature': text(
    'The signature of the Standard Webhooks specification: `v1,` and base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  'User-Agent': text('Who is calling.', 'Service/1.0'),
};

const responses: Record<string, Response> = {
  '2XX': {
    description: 'Received. Answer within 10 seconds and do the work afterwards; the body is not read.',
  },
  '4XX': {
    description: 'Not received: it is sent again later. `401` is the answer to a signature that is not ours.',
  },
  '5XX': { description: 'Not received: it is sent again later.' },
};

/** The `webhooks` section: what is sent to receivers, one entry per event. */
export function describeWebhooks(
  events: readonly WebhookEvent[],
  tag: string,
): { webhooks: Record<string, { post: Operation }>; schemas: Record<string, JsonSchema> } {
  const parameters = Object.entries(headers).map(([name, header]): Parameter => ({
    in: 'header',
    name,
    ...header,
  }));
  const entries = events.map((event): [string, { post: Operation }] => [
    event.type,
    {
      post: {
        operationId: `on${pascalCase(event.type)}`,
        summary: event.title,
        description: `${event.description}\n\n${event.subscribable ? subscribable : rulesOnly}`,
        tags: [tag],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: {
            [json]: { schema: { $ref: `#/components/schemas/${schemaName(event)}` }, example: event.sample },
          },
        },
        responses,
      },
    },
  ]);
  return {
    webhooks: Object.fromEntries(entries),
    schemas: Object.fromEntries(events.map((event) => [schemaName(event), tidied(event)])),
  };
}

function tidied({ schema }: WebhookEvent): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return tidySchema(rest, { answer: true });
}

const subscribable = 'Sent to subscriptions that list it and to rules with this trigger.';
const rulesOnly = 'Sent to automation rules with this trigger; subscriptions cannot list it.';

const schemaName = ({ type }: WebhookEvent): string => `${pascalCase(type)}Event`;

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
