// Warnings about times. The API accepts all of these interactions, so a warning prevents nothing.
import { formatPosition } from '../../../time-text.ts';
import type { Span } from './spans.ts';

export interface Timed extends Span {
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
  if (showAtSeconds >= durationSeconds) return [`Never shown: the video ends at ${end}.`];
  return hideAtSeconds !== null && hideAtSeconds > durationSeconds
    ? [`Its end is after the end of the video, ${end}.`]
    : [];
}

/** Two pop-ups at once: the later one covers the earlier one. Panels and banners have places of their own. */
function overlapWarnings(one: Timed, all: readonly Timed[]): string[] {
  if (!isPopup(one)) return [];
  const others = all.filter((other) => other.id !== one.id && isPopup(other) && isTogether(one, other));
  const [first] = others;
  if (!first) return [];
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more`;
  return [`At the same time as the pop-up “${shorten(first.internalName)}”${more}.`];
}

const nameMax = 40;

const shorten = (name: string): string => (name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name);

const isPopup = ({ display, enabled }: Timed): boolean => enabled && display === 'popup';

const isTogether = (one: Timed, other: Timed): boolean =>
  one.showAtSeconds < endOf(other) && other.showAtSeconds < endOf(one);

const endOf = ({ hideAtSeconds }: Timed): number => hideAtSeconds ?? Infinity;
