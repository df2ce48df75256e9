import { id, instant, pageInput, text } from '@service/trpc';
import { SessionInput } from '@service/webinars';
import { z } from 'zod';

export const InteractionInput = z.strictObject({
  webinarId: id('webinar'),
  interactionId: id('interaction'),
});

export const ListResponsesInput = z.strictObject({ ...InteractionInput.shape, ...pageInput });

export const ResponseOutput = z
  .object({
    id: id('response'),
    registrationId: id('registration'),
    sessionId: id('session'),
    optionId: z.string().nullable().describe('The chosen option. Null for a click.'),
    selectedOption: z.string().nullable().describe('The label of the option at that time. Null for a click.'),
    answeredAt: instant().describe('Time of the answer or click.'),
  })
  .meta({ id: 'InteractionResponse' });

export const StatsOutput = z
  .object({
    views: z.number().int().describe('Number of registrations that saw it, as their players reported.'),
    clicks: z.number().int().describe('Number of clicks, or downloads of a handout.'),
    uniqueClickers: z.number().int().describe('Number of registrations that clicked at least once.'),
    responses: z
      .number()
      .int()
      .describe('Answers to the poll, including those for options that were removed later.'),
    options: z
      .array(
        z
          .object({
            id: z.string().describe('The id of the option.'),
            label: z.string().describe('The text of the option.'),
            count: z.number().int().describe('Number of answers.'),
          })
          .meta({ id: 'OptionCount' }),
      )
      .describe('Answers for each option of a poll. Empty for other types.'),
  })
  .meta({ id: 'InteractionStats' });

export const ListMessagesInput = z.strictObject({ ...SessionInput.shape, ...pageInput });

export const HideMessageInput = z.strictObject({
  ...SessionInput.shape,
  messageId: id('message'),
  hidden: z.boolean(),
});

export const SendMessageInput = z.strictObject({
  ...SessionInput.shape,
  text: text(1000),
  replyTo: id('message').optional(),
});

export const ChatMessageOutput = z
  .object({
    id: id('message'),
    registrationId: z.uuid().nullable().describe('Null for a message of the host.'),
    name: z.string().nullable().describe('Null if the registration does not exist any more.'),
    role: z
      .enum(['attendee', 'presenter'])
      .meta({ id: 'ChatRole', description: 'The author: an attendee, or the host.' }),
    text: z.string().describe('The text of the message.'),
    sentAt: instant(),
    hidden: z.boolean().describe('True if a member has hidden the message from attendees.'),
  })
  .meta({ id: 'ChatMessage' });

/** One interaction in a list of the dashboard. */
export const ResponseCountsOutput = z.object({
  interactionId: z.uuid(),
  views: z.number().int(),
  /** Clicks on an offer or CTA, downloads of a handout. */
  clicks: z.number().int(),
  clickers: z.number().int(),
  answers: z.number().int(),
});

/** A response with the person who gave it. Both names are null if the registration does not exist any more. */
export const RespondentOutput = z.object({
  ...ResponseOutput.shape,
  name: z.string().nullable(),
  email: z.string().nullable(),
});
