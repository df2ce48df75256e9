// The list of every event type. The endpoint `GET /event-types` and the API description are made from it.
import { dataOf, keyQuery } from '@service/trpc';
import { z } from 'zod';
import { pascalCase } from './define-event-type.ts';
import {
  allEventTypes,
  eventType,
  eventTypes,
  subscribableEventTypes,
  type EventType,
} from './event-types.ts';
import { Envelope } from './envelope.ts';

type JsonSchema = Record<string, unknown>;

export interface EventCatalogueEntry {
  type: EventType;
  title: string;
  description: string;
  /** True if API subscriptions can receive it. Automation rules can use every type. */
  subscribable: boolean;
  /** The `params` of a trigger of this type. JSON Schema, draft 2020-12, like `schema`. */
  paramsSchema: JsonSchema;
  /** The whole body of a webhook. */
  schema: JsonSchema;
  /** The same as zod schema. */
  envelope: z.ZodType;
  /** A sample body. */
  sample: Envelope;
}

/** Descriptions without names: a schema of the catalogue has no references. */
class Nameless extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType) {
    const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}

export const eventCatalogue: readonly EventCatalogueEntry[] = allEventTypes.map((type) => {
  const { title, description, params } = eventTypes[type];
  return {
    type,
    title,
    description,
    subscribable: (subscribableEventTypes as readonly string[]).includes(type),
    paramsSchema: toJsonSchema(params),
    schema: toJsonSchema(envelopeOf(type)),
    envelope: envelopeOf(type),
    sample: sampleOf(type),
  };
});

/** The body of a test delivery: the sample with the real webinar, the current time and `is_test`. */
export function testEnvelope(
  type: EventType,
  { webinar, builtAt }: { webinar: Envelope['webinar']; builtAt: Date },
): Envelope {
  return { ...sampleOf(type), webinar, timestamp: builtAt.toISOString(), is_test: true };
}

/** The schema of the whole body of this type. */
export function envelopeOf(type: EventType) {
  const event_data = eventTypes[type].data.meta({
    id: `${pascalCase(type)}EventData`,
    description: 'The data of the event type. Every field is optional.',
  });
  const event_type = z.literal(type).describe('The event that the webhook reports.');
  return Envelope.extend({ event_type, event_data });
}

/** The JSON Schema of an input. Leaves out the long pattern that zod adds to instants, because the format says the same. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: new Nameless(),
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
}

function sampleOf(type: EventType): Envelope {
  return {
    event_type: type,
    attendee: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      registration_id: '019aa2c4-51f0-7cc3-98c4-dc0c0c07398f',
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: null,
    },
    webinar: { id: '019aa1b7-0d11-7d6e-9a51-3f8f8be7ce11', title: 'Launch webinar' },
    session: {
      id: '019aa1b7-5c2e-7b40-8d13-6f4e2a9c01d7',
      starts_at: '2026-12-01T17:00:00.000Z',
      kind: 'scheduled',
    },
    event_data: eventTypes[type].sample,
    timestamp: '2026-12-01T17:04:05.678Z',
  };
}

const jsonSchema = z.record(z.string(), z.unknown());

const EventTypeOutput = z
  .object({
    type: eventType.describe('`event_type` of the webhook, and `type` of a rule trigger.'),
    title: z.string().describe('The name of the event type.'),
    description: z.string().describe('When the event happens.'),
    subscribable: z
      .boolean()
      .describe('True if webhook subscriptions can receive it. Rules can use every event type.'),
    paramsSchema: jsonSchema.describe('JSON Schema of the `params` of a rule trigger.'),
    schema: jsonSchema.describe('JSON Schema (draft 2020-12) of the whole body of the webhook.'),
    sample: jsonSchema.describe('A sample body.'),
  })
  .meta({ id: 'EventTypeDetails' });

const data = eventCatalogue.map((entry) => ({ ...entry }));

export const listEventTypes = keyQuery({
  rest: 'GET /event-types',
  tool: 'list_event_types',
  summary: 'List event types',
  description: 'Every event that a webhook can report, with the JSON Schema of its body and a sample.',
  tag: 'Event types',
})
  .output(dataOf(z.array(EventTypeOutput)))
  .query(() => ({ data }));
