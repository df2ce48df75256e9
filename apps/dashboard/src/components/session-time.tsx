import { Text, Tooltip } from '@mantine/core';
import { sessionTimes } from '../session-times.ts';
import { localTimeZone } from '../zoned-time.ts';
import { useClock } from './relative-time.tsx';

interface SessionTimeProps {
  at: string;
  /** The webinar's time zone. Undefined while it is loading. */
  timeZone: string | undefined;
}

/** A session's time in the reader's zone, and beside it in the webinar's zone when its clock shows another time. */
export function SessionTime({ at, timeZone }: SessionTimeProps) {
  const thisYear = useClock((nowMs) => String(new Date(nowMs).getFullYear()));
  const times = sessionTimes(at, {
    webinarZone: timeZone,
    readerZone: localTimeZone(),
    thisYear,
  });
  return (
    <Tooltip
      multiline
      label={times.full.map((line) => (
        <div key={line}>{line}</div>
      ))}
    >
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {times.own}
        {times.webinar === undefined ? null : (
          <Text span size="xs" c="dimmed" ms={6}>
            ({times.webinar})
          </Text>
        )}
      </time>
    </Tooltip>
  );
}
