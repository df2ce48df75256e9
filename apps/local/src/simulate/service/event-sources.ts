// Sources of webhooks in a simulation: one subscription, and rules for the event types that subscriptions do not send.
import type { TriggerInput } from '@service/client';
import { keyword, percentMarks, type Programme } from '../programme.ts';

export const subscribedTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'video_complete',
  'cta_click',
] as const;

/** The lines of the table at the end, in order. */
export const eventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'watched_minutes',
  'watched_percent',
  'video_complete',
  'cta_click',
  'handout_download',
  'poll_response',
  'chat_response',
  'after_session',
  'purchase',
  'refund',
] as const;

export type EventType = (typeof eventTypes)[number];

export interface RuleDraft {
  /** Its deliveries go to this path of the receiver. */
  source: string;
  name: string;
  trigger: TriggerInput;
  fireMode?: 'every_match';
}

export const rulesOf = (
  { minutesMark }: Pick<Programme, 'minutesMark'>,
  { handout }: { handout: string },
): RuleDraft[] => [
  rule(`watched ${minutesMark} min`, { type: 'watched_minutes', params: { minutes: minutesMark } }),
  ...percentMarks.map((percent) =>
    rule(
      `watched ${percent} %`,
      { type: 'watched_percent', params: { percent } },
      `watched_percent-${percent}`,
    ),
  ),
  rule('downloaded the handout', { type: 'handout_download', params: { interactionId: handout } }),
  rule('answered the poll', { type: 'poll_response', params: {} }),
  {
    ...rule('asked for the price', { type: 'chat_response', params: { keywords: [keyword] } }),
    fireMode: 'every_match',
  },
  rule('after the session', { type: 'after_session', params: { offsetMinutes: 0, audience: 'attended' } }),
  rule('bought', { type: 'purchase', params: {} }),
  rule('refunded', { type: 'refund', params: {} }),
];

const rule = (name: string, trigger: RuleDraft['trigger'], source: string = trigger.type): RuleDraft => ({
  source,
  name,
  trigger,
});

/** The event type of a source. */
export const typeOfSource = (source: string): EventType => source.split('-', 1)[0] as EventType;

/** Distinguishes the events of one source and one attendee. */
export function subjectOf(source: string, data: Record<string, unknown>): string {
  if (source === 'cta_click' || source === 'handout_download') return String(data['interactionId']);
  if (source === 'purchase' || source === 'refund')
    return revenueSubject(String(data['type']), Number(data['amountMinor']), String(data['currency']));
  if (source === 'poll_response') return `${String(data['interactionId'])}:${String(data['optionId'])}`;
  return source === 'chat_response' ? String(data['message_event_id']) : '';
}

/** An attendee buys once, so type and amount distinguish the revenue events, and a wrong amount shows. */
export const revenueSubject = (type: string, amountMinor: number, currency: string): string =>
  `${type} ${amountMinor} ${currency}`;
