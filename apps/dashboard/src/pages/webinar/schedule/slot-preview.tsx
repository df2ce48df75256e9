import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { PreviewSlotsInput } from '@service/webinars/inputs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useClock } from '../../../components/relative-time.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { SettingsGroup } from '../../../components/section.tsx';
import { dateFormat } from '../../../intl-formats.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../../trpc.ts';
import { allTimeZones, localTimeZone } from '../../../zoned-time.ts';
import { toSchedule, type ScheduleValues } from './schedule-values.ts';
import styles from './schedule.module.css';

interface SlotPreviewProps {
  schedule: ScheduleValues['schedule'];
  webinar: Webinar;
}

const typingMs = 300;

/** The next times of the schedule in the form, as an attendee in a chosen zone sees them. */
export function SlotPreview({ schedule, webinar: { timezone, durationSeconds } }: SlotPreviewProps) {
  const [zone, setZone] = useState(localTimeZone);
  const planned = { schedule: toSchedule(schedule), timezone, durationSeconds };
  const { data, error, refetch, isValid, isPlaceholderData } = usePreview(planned);
  return (
    <SettingsGroup
      title="The next twenty times"
      text="As an attendee sees them, with the changes that you have not saved yet. Sessions that were moved or cancelled are not considered."
    >
      <SearchSelect
        nothingFoundMessage="No such time zone"
        label="An attendee in"
        data={allTimeZones()}
        value={zone}
        onChange={(chosen) => chosen && setZone(chosen)}
      />
      {schedule.timezoneMode === 'fixed' && zone !== timezone ? (
        <Text size="sm" c="dimmed">
          The pages show the times in {timezone}, which is the second column.
        </Text>
      ) : null}
      {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      <div aria-live="polite" aria-busy={isPlaceholderData}>
        {isValid ? (
          <SlotDays slots={data} zone={zone} webinarZone={timezone} />
        ) : (
          <Text size="sm" c="dimmed">
            Correct the fields with problems to see the times.
          </Text>
        )}
      </div>
    </SettingsGroup>
  );
}

function usePreview(planned: object) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [settled] = useDebouncedValue(JSON.stringify(planned), typingMs);
  const parsed = PreviewSlotsInput.safeParse(JSON.parse(settled));
  const query = useQuery({
    queryKey: [...trpc.sessions.previewSlots.mutationKey(), settled],
    queryFn: async ({ signal }) => {
      const { data } = await client.sessions.previewSlots.mutate(parsed.data!, { signal });
      return data;
    },
    enabled: parsed.success,
    placeholderData: keepPreviousData,
  });
  return { ...query, isValid: parsed.success };
}

interface PreviewSlot {
  startsAt: string;
  endsAt: string;
  kind: 'scheduled' | 'just_in_time' | 'on_demand';
}

interface SlotDaysProps {
  /** Undefined while they are computed for the first time. */
  slots: readonly PreviewSlot[] | undefined;
  zone: string;
  webinarZone: string;
}

/** Times by day. A time on demand belongs to no day. */
function SlotDays({ slots, zone, webinarZone }: SlotDaysProps) {
  const year = useClock((nowMs) => String(new Date(nowMs).getFullYear()));
  if (!slots) return <Skeleton height={180} />;
  if (slots.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No session can be booked. Add a date, just-in-time sessions or on demand.
      </Text>
    );
  }
  const timed = slots.filter(({ kind }) => kind !== 'on_demand');
  const days = Map.groupBy(timed, ({ startsAt }) => dayText(startsAt, zone, year));
  return (
    <div className={styles['days']} data-testid="slot-preview">
      {timed.length < slots.length ? (
        <section>
          <h3 className={styles['day']}>At any time</h3>
          <p className={styles['slot']}>On demand: starts when the attendee registers</p>
        </section>
      ) : null}
      {[...days].map(([day, starts]) => (
        <section key={day}>
          <h3 className={styles['day']}>{day}</h3>
          {starts.map(({ startsAt, endsAt, kind }) => (
            <p key={startsAt} className={styles['slot']}>
              <span>
                {clockText(startsAt, zone)} – {clockText(endsAt, zone)}
              </span>
              {zone === webinarZone ? null : (
                <span className={styles['other']}>
                  {otherClockText(startsAt, webinarZone, zone)} in {webinarZone}
                </span>
              )}
              {kind === 'just_in_time' ? <span className={styles['other']}>Just-in-time</span> : null}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}

/** "Tuesday, 1 December", with the year if it is not this one. */
function dayText(iso: string, timeZone: string, thisYear: string): string {
  const at = new Date(iso);
  const year = dateFormat({ year: 'numeric', timeZone }).format(at);
  return dateFormat({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(year !== thisYear && { year: 'numeric' }),
    timeZone,
  }).format(at);
}

/** "02:00", or "Wed 02:00" when it is another day there. */
function otherClockText(iso: string, webinarZone: string, zone: string): string {
  const [there, here] = [webinarZone, zone].map((timeZone) =>
    dateFormat({ weekday: 'short', timeZone }).format(new Date(iso)),
  );
  const clock = clockText(iso, webinarZone);
  return there === here ? clock : `${there} ${clock}`;
}

const clockText = (iso: string, timeZone: string): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(iso));
