// The trigger of a rule: an event type, and parameters that narrow it down.
import { id, text } from '@service/trpc';
import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';

/** Thirty days. */
const minutesMax = 43_200;

const minutes = (from: number) => z.number().int().min(from).max(minutesMax);

const noParams = z.strictObject({}).prefault({});

const interactionId = id('interaction').optional().describe('Only this interaction. Default: any.');

const oneInteraction = z.strictObject({ interactionId }).meta({ id: 'CtaClickParams' }).prefault({});

const pollParams = z
  .strictObject({
    interactionId,
    optionId: text(100).optional().describe('Only this option. Requires interactionId.'),
  })
  .refine((params) => params.optionId === undefined || params.interactionId !== undefined, {
    path: ['interactionId'],
    error: 'Required with optionId: the poll of the option.',
  })
  .meta({ id: 'PollResponseParams' })
  .prefault({});

const oneBranch = z
  .strictObject({ branchId: id('branch').optional().describe('Only this branch. Default: any.') })
  .meta({ id: 'BranchTakenParams' })
  .prefault({});

const oneSegment = z
  .strictObject({ segmentId: id('segment').optional().describe('Only this segment. Default: any.') })
  .meta({ id: 'SegmentCompletedParams' })
  .prefault({});

const chatParams = z
  .strictObject({
    keywords: z
      .array(text(100))
      .min(1)
      .max(20)
      .optional()
      .describe('Only messages that match one of these, regardless of case. Default: any message.'),
    match: z
      .enum(['contains', 'contains_word', 'equals', 'starts_with'])
      .meta({ id: 'KeywordMatch', description: 'The comparison of a message with a keyword.' })
      .default('contains'),
  })
  .meta({ id: 'ChatResponseParams' })
  .prefault({});

// Watch time becomes an event only at the marks that rules wait for, so it cannot start a timer.
const timerSource = z
  .enum(attendeeEventTypes.filter((type) => type !== 'watched_minutes' && type !== 'watched_percent'))
  .meta({ id: 'TimerSource' });

const elapsedParams = z
  .strictObject({
    event: timerSource.describe('The event that starts the timer.'),
    delayMinutes: minutes(1),
    unlessEvent: timerSource
      .optional()
      .describe('The rule does not fire if this event comes before the timer is due.'),
  })
  .refine(({ event, unlessEvent }) => event !== unlessEvent, {
    path: ['unlessEvent'],
    error: 'Must differ from the event that starts the timer.',
  })
  .meta({ id: 'TimeElapsedAfterEventParams' });

/** `watched_minutes` becomes `WatchedMinutes`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const trigger = <Type extends string, Params extends z.ZodType>(type: Type, params: Params) =>
  z.strictObject({ type: z.literal(type), params }).meta({ id: `${pascalCase(type)}Trigger` });

export const Trigger = z
  .discriminatedUnion('type', [
    trigger('registered', noParams),
    trigger('joined', noParams),
    trigger('left', noParams),
    trigger('no_show', noParams),
    trigger(
      'watched_minutes',
      z.strictObject({ minutes: z.int().min(1).max(1440) }).meta({ id: 'WatchedMinutesParams' }),
    ),
    trigger(
      'watched_percent',
      z.strictObject({ percent: z.int().min(1).max(100) }).meta({ id: 'WatchedPercentParams' }),
    ),
    trigger('video_complete', noParams),
    trigger('cta_click', oneInteraction),
    trigger('poll_response', pollParams),
    trigger('chat_response', chatParams),
    trigger('branch_taken', oneBranch),
    trigger('segment_completed', oneSegment),
    trigger(
      'before_session',
      z.strictObject({ offsetMinutes: minutes(1) }).meta({ id: 'BeforeSessionParams' }),
    ),
    trigger(
      'after_session',
      z
        .strictObject({
          offsetMinutes: minutes(0),
          audience: z
            .enum(['all', 'attended', 'no_show', 'completed', 'left_early'])
            .meta({ id: 'AfterSessionAudience' })
            .default('all'),
        })
        .meta({ id: 'AfterSessionParams' }),
    ),
    trigger('time_elapsed_after_event', elapsedParams),
  ])
  .meta({
    id: 'Trigger',
    description: 'The event that starts the rule, with parameters that narrow it down.',
  });

export type Trigger = z.output<typeof Trigger>;
