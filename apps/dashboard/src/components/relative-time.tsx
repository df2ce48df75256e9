import { Text, Tooltip } from '@mantine/core';
import { useClock } from '../clock.ts';
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
