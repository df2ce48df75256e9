import { one, page, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { moment, nullable, text, whole } from './fields.ts';

const Interaction = z.object({
  id: text,
  type: text,
  internalName: text,
  headline: text,
  showAtSeconds: whole,
  hideAtSeconds: nullable(whole),
  enabled: z.boolean(),
  url: text.optional(),
  buttonLabel: text.optional(),
  priceMinor: nullable(whole).optional(),
  currency: nullable(text).optional(),
  options: z.array(z.object({ id: text, label: text })).optional(),
});

const rarelyGiven = [
  'segmentId',
  'availableInReplay',
  'display',
  'dismissible',
  'showWhen',
  'imageUrl',
  'productRefs',
  'couponCode',
  'countdownSeconds',
  'results',
];

const options = {
  options: { type: 'array', minItems: 2, maxItems: 10, items: { type: 'object', properties: { label: { type: 'string' } } } },
};

export const interactionTools: readonly ToolDefinition[] = [
  {
    name: 'list_interactions',
    procedure: 'interactions.list',
    title: 'List interactions',
    description: 'Lists the offers, CTAs, polls and handouts of a webinar, with the ids that other tools need.',
    output: page(Interaction),
  },
  {
    name: 'create_interaction',
    procedure: 'interactions.create',
    title: 'Create an interaction',
    description:
      'Adds an offer, CTA, poll or handout that appears at `showAtSeconds` of the video. An offer or CTA also needs `url` and ' +
      '`buttonLabel`, a poll `options`, a handout `url` and `fileName`.',
    arguments: options,
    hiddenArguments: rarelyGiven,
    output: one(Interaction),
  },
  {
    name: 'update_interaction',
    procedure: 'interactions.update',
    title: 'Change an interaction',
    description: 'Changes only the given fields, also while attendees watch. The type cannot be changed.',
    arguments: options,
    hiddenArguments: rarelyGiven,
    output: one(Interaction),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'delete_interaction',
    procedure: 'interactions.delete',
    title: 'Delete an interaction',
    description: 'Removes an interaction from the webinar. To hide it for a while, set `enabled` to false instead.',
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'get_interaction_stats',
    procedure: 'responses.stats',
    title: 'Get the statistics of an interaction',
    description: 'Counts views, clicks, clickers and answers of one interaction. For all of them use get_webinar_report.',
    output: one(
      z.object({
        views: whole,
        clicks: whole,
        uniqueClickers: whole,
        responses: whole,
        options: z.array(z.object({ id: text, label: text, count: whole })),
      }),
    ),
  },
  {
    name: 'list_interaction_responses',
    procedure: 'responses.listRespondents',
    title: 'List who responded',
    description: 'Lists who clicked an offer, CTA or handout, or who answered a poll and how, newest first.',
    output: page(
      z.object({
        registrationId: text,
        name: nullable(text),
        email: nullable(text),
        selectedOption: nullable(text),
        answeredAt: moment,
      }),
    ),
  },
];
