// Warnings about times. The API accepts all of these interactions, so a warning prevents nothing.
import type { InteractionType } from '@service/webinars/inputs';
import { formatPosition } from '../../../time-text.ts';
import type { Span } from './spans.ts';

export interface Timed extends Span {
  type: InteractionType;
  internalName: string;
  display: 'popup' | 'panel' | 'banner';
  enabled: boolean;
}

/** The warnings of each interaction by id. All are shown in the same video of `durationSeconds`. */
export function warningsOf(interactions: readonly Timed[], durationSeconds: number): Map<string, string[]> {
  const warnings = new Map<string, string[]>();
  for (const one of interactions) {
    const found = [...lateWarnings(one, durationSeconds), ...overlapWarnings(one, interactions)];
    if (found.length > 0) warnings.set(one.id, found);
  }
  return warnings;
}

function lateWarnings({ showAtSeconds, hideAtSeconds }: Timed, durationSeconds: number): string[] {
  const end = formatPosition(durationSeconds);
  if (showAtSeconds >= durationSeconds)
    return [`Attendees never see it: the video ends at ${end}. Let it appear earlier.`];
  return hideAtSeconds !== null && hideAtSeconds > durationSeconds
    ? [`Attendees see it until the video ends, at ${end}. Let it disappear earlier, or leave the end empty.`]
    : [];
}

/** The room shows one pop-up and one banner at a time, the newest. The panel has all interactions of the moment. */
function overlapWarnings(one: Timed, all: readonly Timed[]): string[] {
  if (!isAlone(one)) return [];
  const others = all.filter(
    (other) =>
      other.id !== one.id && isAlone(other) && other.display === one.display && isTogether(one, other),
  );
  const [over, under] = [
    others.filter((other) => isOver(other, one)),
    others.filter((other) => isOver(one, other)),
  ];
  return [
    ...over.slice(0, 1).map(({ showAtSeconds }) => {
      const at = formatPosition(showAtSeconds);
      const [from, mend] =
        showAtSeconds === one.showAtSeconds
          ? ['Attendees', 'Let one of them appear later']
          : [`From ${at}, attendees`, `Let this one disappear at ${at}`];
      return `${from} who get both see ${namesOf(over)} instead. ${mend}, or choose another place for it.`;
    }),
    ...under.slice(0, 1).map(({ showAtSeconds }) => {
      const mend =
        showAtSeconds === one.showAtSeconds
          ? 'Let one of them appear later'
          : `Let that one disappear at ${formatPosition(one.showAtSeconds)}`;
      return `Attendees who get both see it instead of ${namesOf(under)}. ${mend}, or choose another place for it.`;
    }),
  ];
}

/** “Discount” and 2 more */
function namesOf(interactions: readonly Timed[]): string {
  const [{ internalName }] = interactions as [Timed];
  const name = internalName.length > nameMax ? `${internalName.slice(0, nameMax - 1)}…` : internalName;
  return `“${name}”${interactions.length === 1 ? '' : ` and ${interactions.length - 1} more`}`;
}

const nameMax = 40;

/** True if it is in a place that shows one interaction at a time. Recorded messages are in the chat. */
const isAlone = ({ type, display, enabled }: Timed): boolean =>
  enabled && type !== 'chat' && display !== 'panel';

const isTogether = (one: Timed, other: Timed): boolean =>
  one.showAtSeconds < endOf(other) && other.showAtSeconds < endOf(one);

/** As in the room: the later one, and of two at the same time the one with the higher id. */
const isOver = (one: Timed, other: Timed): boolean =>
  one.showAtSeconds > other.showAtSeconds || (one.showAtSeconds === other.showAtSeconds && one.id > other.id);

const endOf = ({ hideAtSeconds }: Timed): number => hideAtSeconds ?? Infinity;
