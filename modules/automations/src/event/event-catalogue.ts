// The one list of what can leave the service: the event-types endpoint and the API description are made from it.
import { z } from 'zod';
import { Envelope } from './envelope.ts';
import { eventDataSchemas } from './event-data.ts';
import { eventDescriptions } from './event-descriptions.ts';
import { allEventTypes, subscribableEventTypes, type EventType } from './event-types.ts';
import { Trigger } from './trigger.ts';

type JsonSchema = Record<string, unknown>;

export interface EventCatalogueEntry {
  type: EventType;
  title: string;
  description: string;
  /** Whether API subscriptions may listen to it; the others are for automation rules. */
  subscribable: boolean;
  /** What a rule's trigger of this type takes as `params`. JSON Schema, draft 2020-12, like `schema`. */
  paramsSchema: JsonSchema;
  /** The whole body of a webhook. */
  schema: JsonSchema;
  /** A body as it could be sent. */
  sample: Envelope;
}

/** Every event type with its words, its schema and a sample. */
export const eventCatalogue: readonly EventCatalogueEntry[] = allEventTypes.map((type) => {
  const { title, description, sampleData } = eventDescriptions[type];
  return {
    type,
    title,
    description,
    subscribable: (subscribableEventTypes as readonly string[]).includes(type),
    paramsSchema: toSchema(paramsOf(type)),
    schema: toSchema(envelopeOf(type)),
    sample: sampleOf(type, sampleData),
  };
});

/** The sample of a type as it is sent to try an endpoint: of a real webinar, built now, and it says what it is. */
export function testEnvelope(
  type: EventType,
  { webinar, builtAt }: { webinar: Envelope['webinar']; builtAt: Date },
): Envelope {
  const sample = sampleOf(type, eventDescriptions[type].sampleData);
  return { ...sample, webinar, timestamp: builtAt.toISOString(), is_test: true };
}

/** What a whole body of this type looks like. */
export function envelopeOf(type: EventType) {
  return Envelope.extend({ event_type: z.literal(type), event_data: eventDataSchemas[type] });
}

function paramsOf(type: EventType): z.ZodType {
  return Trigger.options.find((option) => option.shape.type.value === type)!.shape.params;
}

/** Instants are described by their format alone: the pattern zod adds is half a screen long. */
function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
}

function sampleOf(type: EventType, sampleData: Record<string, unknown>): Envelope {
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
    event_data: sampleData,
    timestamp: '2026-12-01T17:04:05.678Z',
  };
}
