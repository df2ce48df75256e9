// Derives the expected events and webhooks from the actions of an attendee.
import type { ActionLog, InteractionType } from '../attendee/action-log.ts';
import { countSeconds } from '../attendee/player.ts';
import { addCounts, atMost, exactly, never, once, sumCounts, type Count } from '../count.ts';
import { completionPercent, keyword, percentMarks, type Programme } from '../programme.ts';
import { revenueSubject, type EventType } from '../service/event-sources.ts';

/** The ids of the interactions. */
export type Interactions = Readonly<Record<InteractionType, string>>;

export interface Expected {
  events: ReadonlyMap<EventType, Count>;
  /** By source, then by subject. `anySubject` where the subject is unknown. */
  fires: ReadonlyMap<string, ReadonlyMap<string, Count>>;
  watchedSeconds: Count;
}

export const anySubject = '?';

interface World {
  programme: Programme;
  interactions: Interactions;
  /** True with webhooks. Without them no rule waits for watch marks, and nothing is sent. */
  hasWebhooks: boolean;
}

/**
 * Watch marks are exact to the second: the simulator and the service round intervals by the same rule, and an honest player never
 * reports more than the elapsed time, so nothing is cut off. Only calls without an answer leave a range.
 */
export function expectationsOf(
  actionLog: ActionLog,
  { programme, interactions, hasWebhooks }: World,
): Expected {
  const marks = marksOf(actionLog, programme);
  const attended = once(actionLog.presence.joined);
  const noShow = { least: 1 - attended.most, most: 1 - attended.least };
  const reached: Reached = { ...marks, attended, noShow };
  return {
    events: eventsOf(actionLog, hasWebhooks ? reached : { ...reached, minutes: never, percents: new Map() }),
    fires: hasWebhooks ? firesOf(actionLog, reached, interactions) : new Map(),
    watchedSeconds: marks.watchedSeconds,
  };
}

interface Marks {
  watchedSeconds: Count;
  minutes: Count;
  percents: ReadonlyMap<number, Count>;
  complete: Count;
}

interface Reached extends Marks {
  attended: Count;
  noShow: Count;
}

function marksOf({ watched, watchedAtMost }: ActionLog, { seconds, minutesMark }: Programme): Marks {
  const watchedSeconds = { least: countSeconds(watched), most: countSeconds(watchedAtMost) };
  const reached = (mark: number): Count => ({
    least: watchedSeconds.least >= mark ? 1 : 0,
    most: watchedSeconds.most >= mark ? 1 : 0,
  });
  const reachedPercent = (percent: number): Count => reached(Math.ceil((percent * seconds) / 100));
  return {
    watchedSeconds,
    minutes: reached(minutesMark * 60),
    percents: new Map(percentMarks.map((percent) => [percent, reachedPercent(percent)])),
    complete: reachedPercent(completionPercent),
  };
}

function eventsOf(actionLog: ActionLog, reached: Reached): Map<EventType, Count> {
  const { joined } = actionLog.presence;
  const messages = actionLog.messages.map(({ id }) => (id === undefined ? atMost(1) : exactly(1)));
  return new Map([
    ['registered', exactly(1)],
    ['joined', joined],
    ['left', joined],
    ['no_show', reached.noShow],
    ['watched_minutes', reached.minutes],
    ['watched_percent', sumCounts(reached.percents.values())],
    ['video_complete', reached.complete],
    ['cta_click', addCounts(actionLog.clicks.offer, actionLog.clicks.cta)],
    ['handout_download', actionLog.clicks.handout],
    ['poll_response', sumCounts(actionLog.votes.values())],
    ['chat_response', sumCounts(messages)],
    ['purchase', exactly(revenueOf('purchase', actionLog).length)],
    ['refund', exactly(revenueOf('refund', actionLog).length)],
  ]);
}

/** A rule fires once for each subject. */
function firesOf(
  actionLog: ActionLog,
  reached: Reached,
  { offer, cta, handout, poll }: Interactions,
): Expected['fires'] {
  const about = (count: Count): [string, Count][] => [['', count]];
  const { clicks, votes } = actionLog;
  const fires: [string, [string, Count][]][] = [
    ['registered', about(exactly(1))],
    ['joined', about(reached.attended)],
    ['left', about(reached.attended)],
    ['no_show', about(reached.noShow)],
    ['video_complete', about(reached.complete)],
    [
      'cta_click',
      [
        [offer, once(clicks.offer)],
        [cta, once(clicks.cta)],
      ],
    ],
    ['handout_download', [[handout, once(clicks.handout)]]],
    ['watched_minutes', about(reached.minutes)],
    ...[...reached.percents].map(([percent, count]): [string, [string, Count][]] => [
      `watched_percent-${percent}`,
      about(count),
    ]),
    ['poll_response', [...votes].map(([option, count]) => [`${poll}:${option}`, count])],
    ['chat_response', firesOfChat(actionLog)],
    ['after_session', about(reached.attended)],
    ['purchase', revenueOf('purchase', actionLog)],
    ['refund', revenueOf('refund', actionLog)],
  ];
  return new Map(fires.map(([source, subjects]) => [source, new Map(subjects)]));
}

function firesOfChat({ messages }: ActionLog): [string, Count][] {
  const asking = messages.filter(({ text }) => text.toLowerCase().includes(keyword));
  const known = asking.flatMap(({ id }): [string, Count][] => (id === undefined ? [] : [[id, exactly(1)]]));
  return [...known, [anySubject, atMost(asking.length - known.length)]];
}

/** The subjects of the revenue events that fire a trigger, once each. A chargeback fires `refund`, and what takes one back fires nothing. */
function revenueOf(trigger: 'purchase' | 'refund', { bought }: ActionLog): [string, Count][] {
  const types = trigger === 'purchase' ? ['purchase'] : ['refund', 'chargeback'];
  return (bought?.facts ?? [])
    .filter(({ type }) => types.includes(type))
    .map(({ type, amountMinor }) => [revenueSubject(type, amountMinor, bought!.currency), exactly(1)]);
}

/** A registered attendee with the expected records. */
export interface Attendee {
  registrationId: string;
  email: string;
  expected: Expected;
}

/** The records of an attendee that is compared in full. */
export interface AttendeeRecord {
  events: ReadonlyMap<string, number>;
  /** Undefined without a `left` event. */
  watchedSeconds: number | undefined;
  /** Counts of firings by source. */
  fired: ReadonlyMap<string, number>;
}

export interface Records {
  /** Statuses of all registrations. */
  statuses: ReadonlyMap<string, string>;
  attendees: ReadonlyMap<string, AttendeeRecord>;
}
