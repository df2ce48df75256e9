import { lazy, Suspense } from 'react';
import type { Source } from './source.ts';

// Few workspaces have a paused endpoint.
const PausedEntries = lazy(async () => ({ default: (await import('./endpoint-notices.tsx')).PausedEntries }));

/** The notice about paused endpoints. Hidden when there are none. */
export const PausedList = ({ sources }: { sources: readonly Source[] }) =>
  sources.length === 0 ? null : (
    <Suspense>
      <PausedEntries sources={sources} />
    </Suspense>
  );
