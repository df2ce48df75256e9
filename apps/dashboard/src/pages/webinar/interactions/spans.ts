// Places bars in lanes so that no bar covers another one. Pure: pixels in, lanes out.

export interface Times {
  showAtSeconds: number;
  /** Null: until the end of the video. */
  hideAtSeconds: number | null;
}

export interface Span extends Times {
  id: string;
}

export interface Scale {
  widthPx: number;
  durationSeconds: number;
}

export interface Placed {
  lane: number;
  /** The part of the lane that the pointer hits. */
  leftPx: number;
  widthPx: number;
  /** The part that is coloured, from the left edge of the other one: exactly the time of the interaction. */
  colored: { leftPx: number; widthPx: number };
}

/** A bar is never narrower, or it could not be hit. */
export const barMinPx = 28;

/** A shorter time could not be seen. */
const coloredMinPx = 3;

const gapPx = 3;

/** The place of each bar by id. The earliest bars are in the first lane. */
export function packLanes(spans: readonly Span[], scale: Scale): Map<string, Placed> {
  const laneEnds: number[] = [];
  const placed = new Map<string, Placed>();
  const ordered = spans.toSorted(
    (one, other) => one.showAtSeconds - other.showAtSeconds || (one.id < other.id ? -1 : 1),
  );
  for (const span of ordered) {
    const extent = extentOf(span, scale);
    const { leftPx, widthPx } = extent;
    const free = laneEnds.findIndex((end) => end + gapPx <= leftPx);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = leftPx + widthPx;
    placed.set(span.id, { lane, ...extent });
  }
  return placed;
}

/** A bar without an end reaches the end of the axis. One near the end moves to the left rather than beyond the axis. */
function extentOf({ showAtSeconds, hideAtSeconds }: Span, scale: Scale): Omit<Placed, 'lane'> {
  const startPx = Math.min(pxAt(showAtSeconds, scale), scale.widthPx - coloredMinPx);
  const endPx = hideAtSeconds === null ? scale.widthPx : Math.min(pxAt(hideAtSeconds, scale), scale.widthPx);
  const leftPx = Math.max(0, Math.min(startPx, scale.widthPx - barMinPx));
  const coloredPx = Math.max(coloredMinPx, endPx - startPx);
  return {
    leftPx,
    widthPx: Math.max(barMinPx, startPx + coloredPx - leftPx),
    colored: { leftPx: Math.max(0, startPx - leftPx), widthPx: coloredPx },
  };
}

export const pxAt = (seconds: number, { widthPx, durationSeconds }: Scale): number =>
  (seconds / durationSeconds) * widthPx;

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800];

/** Round times for the marks of the axis, at least `minPx` apart. */
export function ticksOf(scale: Scale, minPx = 72): number[] {
  const step = steps.find((one) => pxAt(one, scale) >= minPx) ?? steps.at(-1)!;
  const count = Math.floor(scale.durationSeconds / step);
  return Array.from({ length: count + 1 }, (_unused, index) => index * step);
}

// The times of a bar after a move. Pure, so that keys and the pointer follow the same rules.

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
