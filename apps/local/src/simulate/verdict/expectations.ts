// What the service must have made of what an attendee did: events it recorded, and webhooks it sent.
import { addCounts, atMost, exactly, never, once, sumCounts, type Count } from '../count.ts';
import type { Doings } from '../attendee/doings.ts';
import { completionPercent, keyword, percentMarks, type Programme } from '../programme.ts';
import { countSeconds } from '../attendee/seconds.ts';
import type { EventType } from '../service/sources.ts';

export interface Interactions {
  offer: string;
  cta: string;
  poll: string;
}

export interface Expected {
  events: ReadonlyMap<EventType, Count>;
  /** By source, then by what the event is about; `anySubject` where that is not known. */
  fires: ReadonlyMap<string, ReadonlyMap<string, Count>>;
  watchedSeconds: Count;
}

export const anySubject = '?';

interface World {
  programme: Programme;
  interactions: Interactions;
  /** Whether there are webhooks; without them nobody waits for watch marks, and nothing is sent. */
  isFollowed: boolean;
}

/**
 * Watch marks are exact to the second: what a heartbeat says is rounded by the rule of the protocol here as there, and an honest
 * player never says more than there was time for, so nothing is cut off. Only calls without an answer leave something open.
 */
export function expectationsOf(doings: Doings, { programme, interactions, isFollowed }: World): Expected {
  const marks = marksOf(doings, programme);
  const attended = once(doings.presence.joined);
  const noShow = { least: 1 - attended.most, most: 1 - attended.least };
  const reached: Reached = { ...marks, attended, noShow };
  return {
    events: eventsOf(doings, isFollowed ? reached : { ...reached, minutes: never, percents: new Map() }),
    fires: isFollowed ? firesOf(doings, reached, interactions) : new Map(),
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

function marksOf({ watched, watchedAtMost }: Doings, { seconds, minutesMark }: Programme): Marks {
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

function eventsOf(doings: Doings, reached: Reached): Map<EventType, Count> {
  const { joined } = doings.presence;
  const messages = doings.messages.map(({ id }) => (id === undefined ? atMost(1) : exactly(1)));
  return new Map([
    ['registered', exactly(1)],
    ['joined', joined],
    ['left', joined],
    ['no_show', reached.noShow],
    ['watched_minutes', reached.minutes],
    ['watched_percent', sumCounts(reached.percents.values())],
    ['video_complete', reached.complete],
    ['cta_click', addCounts(doings.clicks.offer, doings.clicks.cta)],
    ['poll_response', sumCounts(doings.votes.values())],
    ['chat_response', sumCounts(messages)],
  ]);
}

/** A rule fires once for what it is about, however often that comes. */
function firesOf(doings: Doings, reached: Reached, { offer, cta, poll }: Interactions): Expected['fires'] {
  const about = (count: Count): [string, Count][] => [['', count]];
  const { clicks, votes } = doings;
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
    ['watched_minutes', about(reached.minutes)],
    ...[...reached.percents].map(([percent, count]): [string, [string, Count][]] => [
      `watched_percent-${percent}`,
      about(count),
    ]),
    ['poll_response', [...votes].map(([option, count]) => [`${poll}:${option}`, count])],
    ['chat_response', firesOfChat(doings)],
    ['after_session', about(reached.attended)],
  ];
  return new Map(fires.map(([source, subjects]) => [source, new Map(subjects)]));
}

function firesOfChat({ messages }: Doings): [string, Count][] {
  const asking = messages.filter(({ text }) => text.toLowerCase().includes(keyword));
  const known = asking.flatMap(({ id }): [string, Count][] => (id === undefined ? [] : [[id, exactly(1)]]));
  return [...known, [anySubject, atMost(asking.length - known.length)]];
}
