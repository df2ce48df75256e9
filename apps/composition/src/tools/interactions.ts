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

/** The answer to a change. */
const ChangedInteraction = z.object({ id: text, type: text, headline: text, enabled: z.boolean() });

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

const interactionArguments = {
  url: { type: 'string' },
  buttonLabel: { type: 'string' },
  fileName: { type: 'string' },
  multiple: { type: 'boolean' },
  priceMinor: { type: 'integer', description: 'In the smallest unit, such as cents, with `currency`.' },
  currency: { type: 'string' },
  hideAtSeconds: { type: 'integer' },
  options: {
    type: 'array',
    items: { type: 'object', properties: { label: { type: 'string' } } },
  },
};

export const interactionTools: readonly ToolDefinition[] = [
  {
    name: 'list_interactions',
    procedure: 'interactions.list',
    title: 'List interactions',
    description:
      'Lists the offers, CTAs, polls and handouts of a webinar, with the ids that other tools need.',
    output: page(Interaction),
  },
  {
    name: 'create_interaction',
    procedure: 'interactions.create',
    title: 'Create an interaction',
    description:
      'Adds an offer, CTA, poll or handout that appears at `showAtSeconds` of the video. An offer or CTA also needs `url` and ' +
      '`buttonLabel`, a poll `options`, a handout `url` and `fileName`.',
    arguments: interactionArguments,
    hiddenArguments: rarelyGiven,
    output: one(ChangedInteraction),
  },
  {
    name: 'update_interaction',
    procedure: 'interactions.update',
    title: 'Change an interaction',
    description: 'Changes only the given fields, also while attendees watch. The type cannot be changed.',
    arguments: interactionArguments,
    hiddenArguments: rarelyGiven,
    output: one(ChangedInteraction),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'delete_interaction',
    procedure: 'interactions.delete',
    title: 'Delete an interaction',
    description:
      'Removes an interaction from the webinar. To hide it for a while, set `enabled` to false instead.',
    hints: { destructive: true, idempotent: true },
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
