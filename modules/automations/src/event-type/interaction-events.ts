import { id, text } from '@service/trpc';
import { z } from 'zod';
import { defineEventType, isIdIn, oncePer, someId } from './define-event-type.ts';

const interaction = z
  .looseObject({
    id: someId('interaction'),
    headline: z.string().nullable().optional().describe('The name that attendees see.'),
    internal_name: z.string().optional().describe('The name that the host uses.'),
  })
  .meta({ id: 'EventInteraction', description: 'The interaction with its names.' })
  .optional();

const sampleId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const sampleInteraction = { id: sampleId, headline: 'The launch offer', internal_name: 'launch-offer' };

const interactionId = id('interaction').optional().describe('Only this interaction. Default: any.');
const oneInteraction = z.strictObject({ interactionId });

export const interactionEvents = {
  cta_click: defineEventType({
    type: 'cta_click',
    title: 'Clicked an offer or CTA',
    group: 'Interactions and chat',
    when: 'An attendee clicks an offer or CTA',
    sentence: 'an attendee clicks {interactionId|an offer or CTA}',
    description: 'An attendee clicks an offer or a call to action.',
    data: z.looseObject({
      interactionId: someId('interaction'),
      offerId: someId('offer, if it is one'),
      interaction,
    }),
    sample: { interactionId: sampleId, offerId: sampleId, interaction: sampleInteraction },
    params: oneInteraction.meta({ id: 'CtaClickParams' }).prefault({}),
    controls: {
      interactionId: { label: 'Offer or CTA', control: 'interaction', types: ['offer', 'cta'] },
    },
    matches: { interactionId: isIdIn('interactionId') },
    subject: oncePer('interactionId'),
    firesPer: { noun: 'offer or CTA', param: 'interactionId' },
  }),

  handout_download: defineEventType({
    type: 'handout_download',
    title: 'Downloaded a handout',
    group: 'Interactions and chat',
    when: 'An attendee downloads a handout',
    sentence: 'an attendee downloads {interactionId|a handout}',
    description: 'An attendee downloads a handout.',
    data: z.looseObject({ interactionId: someId('handout'), interaction }),
    sample: {
      interactionId: sampleId,
      interaction: { ...sampleInteraction, headline: 'The slides', internal_name: 'slides' },
    },
    params: oneInteraction.meta({ id: 'HandoutDownloadParams' }).prefault({}),
    controls: { interactionId: { label: 'Handout', control: 'interaction', types: ['handout'] } },
    matches: { interactionId: isIdIn('interactionId') },
    subject: oncePer('interactionId'),
    firesPer: { noun: 'handout', param: 'interactionId' },
  }),

  poll_response: defineEventType({
    type: 'poll_response',
    title: 'Answered a poll',
    group: 'Interactions and chat',
    when: 'An attendee answers a poll',
    sentence: 'an attendee answers[ {optionId} in] {interactionId|a poll}',
    description: 'An attendee answers a poll.',
    data: z.looseObject({
      interactionId: someId('poll'),
      optionId: someId('option'),
      selectedOption: z.string().optional().describe('The text of the option.'),
      interaction,
    }),
    sample: {
      interactionId: sampleId,
      optionId: 'b',
      selectedOption: 'Next quarter',
      interaction: { ...sampleInteraction, headline: 'When will you start?', internal_name: 'timing' },
    },
    params: z
      .strictObject({
        interactionId,
        optionId: text(100).optional().describe('Only this option. Needs its poll too.'),
      })
      .refine((params) => params.optionId === undefined || params.interactionId !== undefined, {
        path: ['interactionId'],
        error: 'Required with optionId: the poll of the option.',
      })
      .meta({ id: 'PollResponseParams' })
      .prefault({}),
    controls: {
      interactionId: { label: 'Poll', control: 'interaction', types: ['poll'] },
      optionId: { label: 'Option', control: 'poll_option' },
    },
    matches: {
      interactionId: isIdIn('interactionId'),
      optionId: (wanted, { event }) => wanted === event.data['optionId'],
    },
    subject: oncePer('interactionId', 'optionId'),
    firesPer: { noun: 'answer of a poll', param: 'optionId' },
  }),
};
