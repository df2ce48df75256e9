// The interactions that a page shows at a position. The server decides with `showWhen` which ones an attendee gets; a page only
// looks at their times.
import type { ChatMessage, Interaction, VisitOutput } from './protocol.ts';

interface Place {
  positionSeconds: number;
  /** The viewer's segment in an adaptive webinar. */
  segmentId: string | undefined;
}

type Timed = Pick<Interaction, 'id' | 'segmentId' | 'showAtSeconds' | 'hideAtSeconds'>;

/** The newest comes first. */
export const dueInteractions = <Shown extends Timed>(
  interactions: readonly Shown[],
  { positionSeconds, segmentId }: Place,
): Shown[] =>
  interactions
    .filter(
      (one) =>
        (one.segmentId === null || one.segmentId === segmentId) &&
        one.showAtSeconds <= positionSeconds &&
        (one.hideAtSeconds === null || positionSeconds < one.hideAtSeconds),
    )
    .toSorted((one, other) => other.showAtSeconds - one.showAtSeconds || (one.id < other.id ? 1 : -1));

export interface Placed<Shown> {
  /** Over the video. One at a time: the newest that is neither dismissed nor minimised. */
  popup: Shown | undefined;
  /** Below the video, one at a time. */
  banner: Shown | undefined;
  /** Everything that is due, also what was dismissed, so that an attendee finds it again. */
  panel: Shown[];
}

export function placeInteractions<Shown extends Timed & Pick<Interaction, 'display' | 'dismissible'>>(
  due: readonly Shown[],
  closedIds: ReadonlySet<string>,
): Placed<Shown> {
  const isOpen = ({ id }: Shown): boolean => !closedIds.has(id);
  return {
    popup: due.find((one) => one.display === 'popup' && isOpen(one)),
    banner: due.find((one) => one.display === 'banner' && isOpen(one)),
    panel: [...due],
  };
}

export interface Announced {
  seenIds: ReadonlySet<string>;
  /** The headline to announce. Undefined before the first one. */
  headline: string | undefined;
}

/** Announces the newest interaction that was not due before. The same value when there is none. */
export function announceNew(
  announced: Announced,
  due: readonly Pick<Interaction, 'id' | 'headline'>[],
): Announced {
  const unseen = due.filter(({ id }) => !announced.seenIds.has(id));
  if (unseen.length === 0) return announced;
  const seenIds = new Set([...announced.seenIds, ...unseen.map(({ id }) => id)]);
  return { seenIds, headline: unseen[0]!.headline };
}

interface Countdown {
  showAtSeconds: number;
  countdownSeconds: number;
  positionSeconds: number;
}

/** Whole seconds until an offer's countdown ends. It runs with the video, so it is the same for everybody and a reload does not restart it. */
export const countdownLeft = ({ showAtSeconds, countdownSeconds, positionSeconds }: Countdown): number =>
  Math.max(0, Math.ceil(showAtSeconds + countdownSeconds - positionSeconds));

type Recorded = Pick<
  VisitOutput['interactions'][number],
  'id' | 'type' | 'headline' | 'authorName' | 'showAtSeconds'
>;

/** The recorded messages among interactions, as the chat shows them. `videoStartMs` is the time at which the video was at its start. */
export const recordedMessages = (due: readonly Recorded[], videoStartMs: number): ChatMessage[] =>
  due
    .filter(({ type }) => type === 'chat')
    .map(({ id, headline, authorName = '', showAtSeconds }) => ({
      type: 'message',
      id,
      name: authorName,
      text: headline,
      sentAt: new Date(videoStartMs + showAtSeconds * 1000).toISOString(),
      own: false,
      role: 'simulated',
      replyTo: null,
    }));

export const isCard = <Shown extends { type: string }>(
  one: Shown,
): one is Shown & Pick<Interaction, 'type'> => one.type !== 'chat';

/** Both lists in the order of time. */
export const mergeMessages = (
  some: readonly ChatMessage[],
  others: readonly ChatMessage[],
): readonly ChatMessage[] =>
  others.length === 0
    ? some
    : [...some, ...others].toSorted((one, other) => Date.parse(one.sentAt) - Date.parse(other.sentAt));
