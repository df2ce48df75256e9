import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { moment, nullable, text, whole } from './output-fields.ts';

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
  url: { type: 'string', description: 'Where a click leads.' },
  buttonLabel: { type: 'string', description: 'Text of the button.' },
  fileName: { type: 'string', description: 'Name of the file.' },
  authorName: { type: 'string', description: 'Of a chat.' },
  multiple: { type: 'boolean', description: 'Several answers.' },
  priceMinor: { type: 'integer', description: 'In cents, with `currency`.' },
  currency: { type: 'string', description: 'Such as `EUR`.' },
  hideAtSeconds: { type: 'integer', description: 'Second of the video.' },
  options: {
    type: 'array',
    items: { type: 'object', properties: { label: { type: 'string' } } },
    description: 'Answers of a poll.',
  },
};

const interactionTexts = {
  internalName: 'Name for your team.',
  headline: 'Shown to attendees.',
  body: 'Text below the headline.',
  showAtSeconds: 'Second of the video.',
  enabled: 'False hides it.',
};

export const interactionTools: readonly ToolDefinition[] = [
  {
    name: 'list_interactions',
    procedure: 'interactions.list',
    title: 'List interactions',
    description: 'Lists the offers, CTAs, polls and handouts of a webinar, with their ids.',
    texts: { enabled: 'Only shown, or only hidden ones.', type: 'Only this type.' },
    output: page(Interaction),
  },
  {
    name: 'create_interaction',
    procedure: 'interactions.create',
    title: 'Create an interaction',
    description:
      'Adds an offer, CTA, poll, handout or chat message that appears at `showAtSeconds` of the video. An offer or CTA also needs `url` and ' +
      '`buttonLabel`, a poll `options`, a handout `url` and `fileName`, a chat message `authorName`.',
    texts: { ...interactionTexts, type: 'Cannot change later.' },
    arguments: interactionArguments,
    hiddenArguments: rarelyGiven,
    output: one(ChangedInteraction),
  },
  {
    name: 'update_interaction',
    procedure: 'interactions.update',
    title: 'Change an interaction',
    description: 'Changes only the given fields, also while attendees are watching.',
    texts: interactionTexts,
    arguments: interactionArguments,
    hiddenArguments: [...rarelyGiven, 'multiple', 'fileName', 'authorName'],
    output: one(ChangedInteraction),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'delete_interaction',
    procedure: 'interactions.delete',
    title: 'Delete an interaction',
    description: 'Removes an interaction. To hide it for a while, set `enabled` to false instead.',
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'list_interaction_responses',
    procedure: 'responses.listRespondents',
    title: 'List who responded',
    description: 'Lists who clicked an offer, CTA or handout, or who answered a poll and how, newest first.',
    output: page(
      withUntrusted(
        { registrationId: text, answeredAt: moment },
        { name: nullable(text), email: nullable(text), selectedOption: nullable(text) },
      ),
    ),
  },
  {
    name: 'get_interaction_stats',
    procedure: 'responses.stats',
    title: 'Get the results of a poll or an offer',
    description:
      'Counts the answers to each option of a poll, or the views and clicks of another interaction.',
    output: one(
      z.object({
        views: whole,
        clicks: whole,
        uniqueClickers: whole,
        responses: whole,
        options: z.array(z.object({ label: text, count: whole })),
      }),
    ),
  },
];
