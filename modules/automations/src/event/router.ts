import { keyQuery } from '@service/trpc';
import { z } from 'zod';
import { eventCatalogue } from './event-catalogue.ts';
import { allEventTypes } from './event-types.ts';

const jsonSchema = z.record(z.string(), z.unknown());

const EventTypeOutput = z.object({
  type: z.enum(allEventTypes).describe('`event_type` of the webhook; the `type` of a rule trigger.'),
  title: z.string(),
  description: z.string(),
  subscribable: z
    .boolean()
    .describe('Whether webhook subscriptions may listen to it; the others are for rules.'),
  paramsSchema: jsonSchema.describe('JSON Schema of the `params` of a rule trigger.'),
  schema: jsonSchema.describe('JSON Schema (draft 2020-12) of the whole body of the webhook.'),
  sample: jsonSchema.describe('A body as it could be sent.'),
});

const data = eventCatalogue.map((entry) => ({ ...entry }));

/** What webhooks can tell, for people and programs that build receivers. */
export const listEventTypes = keyQuery({
  rest: 'GET /event-types',
  tool: 'list_event_types',
  summary: 'List event types',
  description: 'Every event that webhooks can tell, with the JSON Schema of its body and a sample.',
  tag: 'Event types',
})
  .output(z.object({ data: z.array(EventTypeOutput) }))
  .query(() => ({ data }));
