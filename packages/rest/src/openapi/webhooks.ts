import { z } from 'zod';
import { json, refersTo, type Operation } from './document.ts';
import protocol from './protocol.json' with { type: 'json' };

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

const { parameters, responses } = protocol.webhook;

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
 * The requests that an operation makes the service send to the URL in its body. Generators that do not read `webhooks` find the
 * schemas of events here.
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
