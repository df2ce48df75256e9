import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { PreviewSlotsInput } from '@service/webinars/inputs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { SettingsGroup } from '../../../components/section.tsx';
import { useTRPC, useTRPCClient, type Webinar } from '../../../trpc.ts';
import { allTimeZones, localTimeZone } from '../../../zoned-time.ts';
import { toSchedule, type ScheduleValues } from './schedule-values.ts';
import { SlotDays } from './slot-days.tsx';

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
      <Select
        label="An attendee in"
        data={allTimeZones()}
        value={zone}
        onChange={(chosen) => chosen && setZone(chosen)}
        searchable
        limit={60}
        allowDeselect={false}
        nothingFoundMessage="No such time zone"
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
