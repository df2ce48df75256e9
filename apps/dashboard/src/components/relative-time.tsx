import { Text, Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatExact, formatRelative } from '../format.ts';

/** "4 min ago", with the exact time on hover or focus. `Never` without a time. */
export function RelativeTime({ at, never = 'Never' }: { at: string | null; never?: string }) {
  if (at !== null) return <Moment at={at} />;
  return (
    <Text span inherit c="dimmed">
      {never}
    </Text>
  );
}

/** A planned time: "in 4 min", and "due now" when it has passed. */
export function DueTime({ at }: { at: string }) {
  const isPast = useClock((nowMs) => Date.parse(at) <= nowMs);
  return isPast ? <span>due now</span> : <Moment at={at} />;
}

/** "26 Nov 2026, 16:00:09 GMT+1 (4 min ago)" */
export const ExactTime = ({ at }: { at: string }) => (
  <span>
    {formatExact(at)} (<RelativeTime at={at} />)
  </span>
);

function Moment({ at }: { at: string }) {
  const text = useClock((nowMs) => formatRelative(at, nowMs));
  return (
    <Tooltip label={formatExact(at)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {text}
      </time>
    </Tooltip>
  );
}

// One clock for all relative times of the page: one timer, and only changed texts render again.

const tickMs = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The result of `read` for the time in milliseconds. Renders again when it changes. */
export const useClock = <Reading extends string | boolean>(read: (nowMs: number) => Reading): Reading =>
  useSyncExternalStore(subscribe, () => read(Date.now()));
