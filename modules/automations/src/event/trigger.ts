// What starts a rule: an event type and what of it counts. Rules, their answers and the list of event types share this.
import { id, text } from '@service/trpc';
import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';

/** Thirty days. */
const minutesMax = 43_200;

const minutes = (from: number) => z.number().int().min(from).max(minutesMax);

const noParams = z.strictObject({}).prefault({});

const interactionId = id('interaction').optional().describe('Only this one; any when left out.');

const oneInteraction = z.strictObject({ interactionId }).prefault({});

const pollParams = z
  .strictObject({
    interactionId,
    optionId: text(100).optional().describe('Only this option; needs interactionId.'),
  })
  .refine((params) => params.optionId === undefined || params.interactionId !== undefined, {
    path: ['interactionId'],
    error: 'Say of which poll the option is.',
  })
  .prefault({});

const oneBranch = z
  .strictObject({ branchId: id('branch').optional().describe('Only this one; any when left out.') })
  .prefault({});

const oneSegment = z
  .strictObject({ segmentId: id('segment').optional().describe('Only this one; any when left out.') })
  .prefault({});

const chatParams = z
  .strictObject({
    keywords: z
      .array(text(100))
      .min(1)
      .max(20)
      .optional()
      .describe('Only messages with one of these; any message when left out. Case does not count.'),
    match: z
      .enum(['contains', 'contains_word', 'equals', 'starts_with'])
      .default('contains')
      .describe('How a message has to hold a keyword.'),
  })
  .prefault({});

// Watch time has no moment of its own, only marks, and those belong to the rules that name them.
const clockEvents = attendeeEventTypes.filter(
  (type) => type !== 'watched_minutes' && type !== 'watched_percent',
);

const elapsedParams = z
  .strictObject({
    event: z.enum(clockEvents).describe('What starts the clock.'),
    delayMinutes: minutes(1),
    unlessEvent: z.enum(clockEvents).optional().describe('Not when this has come in the meantime.'),
  })
  .refine(({ event, unlessEvent }) => event !== unlessEvent, {
    path: ['unlessEvent'],
    error: 'Must be another event than the one that starts the clock.',
  });

const trigger = <Type extends string, Params extends z.ZodType>(type: Type, params: Params) =>
  z.strictObject({ type: z.literal(type), params });

export const Trigger = z
  .discriminatedUnion('type', [
    trigger('registered', noParams),
    trigger('joined', noParams),
    trigger('left', noParams),
    trigger('no_show', noParams),
    trigger('watched_minutes', z.strictObject({ minutes: z.number().int().min(1).max(1440) })),
    trigger('watched_percent', z.strictObject({ percent: z.number().int().min(1).max(100) })),
    trigger('video_complete', noParams),
    trigger('cta_click', oneInteraction),
    trigger('poll_response', pollParams),
    trigger('chat_response', chatParams),
    trigger('branch_taken', oneBranch),
    trigger('segment_completed', oneSegment),
    trigger('before_session', z.strictObject({ offsetMinutes: minutes(1) })),
    trigger(
      'after_session',
      z.strictObject({
        offsetMinutes: minutes(0),
        audience: z.enum(['all', 'attended', 'no_show', 'completed', 'left_early']).default('all'),
      }),
    ),
    trigger('time_elapsed_after_event', elapsedParams),
  ])
  .describe('The event that starts the rule, and what of it counts.');

export type Trigger = z.output<typeof Trigger>;
