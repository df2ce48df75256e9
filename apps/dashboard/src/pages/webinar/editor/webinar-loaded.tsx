import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Webinar } from '../../../trpc.ts';
import { useWebinar } from '../use-webinar.ts';

/** Shows a tab when the webinar is there. The page above shows the failure of its query. */
export function WebinarLoaded({ children }: { children: (webinar: Webinar) => ReactNode }) {
  const webinar = useWebinar().data?.data;
  if (webinar) return children(webinar);
  return (
    <Stack gap="lg" aria-busy aria-label="Loading">
      {[140, 220, 180].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  );
}
