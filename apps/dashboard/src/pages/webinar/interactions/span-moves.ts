// The times of a bar after a move. Pure, so that keys and the pointer follow the same rules.
import type { Times } from './use-span-edit.ts';

/** The longest video. The API refuses later times. */
const secondsMax = 86_400;

/** Moves the whole bar. Its length stays; its start stays inside the video. */
export function moveTo(
  { showAtSeconds, hideAtSeconds }: Times,
  start: number,
  durationSeconds: number,
): Times {
  const next = clamp(Math.round(start), 0, durationSeconds - 1);
  const length = hideAtSeconds === null ? null : hideAtSeconds - showAtSeconds;
  return {
    showAtSeconds: next,
    hideAtSeconds: length === null ? null : Math.min(next + length, secondsMax),
  };
}

/** Moves the end of the bar. At the end of the video it has no end any more: it stays until the video ends. */
export function endAt({ showAtSeconds }: Times, end: number, durationSeconds: number): Times {
  const next = Math.max(Math.round(end), showAtSeconds + 1);
  return { showAtSeconds, hideAtSeconds: next >= durationSeconds ? null : next };
}

/** The seconds that an arrow key moves by. Undefined for other keys. */
export function stepOf({ key, shiftKey }: { key: string; shiftKey: boolean }): number | undefined {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return direction && direction * (shiftKey ? 10 : 1);
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
