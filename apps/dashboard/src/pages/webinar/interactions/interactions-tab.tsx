import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedDrawer } from '../../../components/unsaved-guard.tsx';
import { Skeletons } from '../skeletons.tsx';
import { useInteractionsSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { typeLooks } from './interaction-texts.ts';
import { InteractionsSection, type WebinarParts } from './interactions-section.tsx';
import { useInteractions, useSegments } from './use-interactions.ts';

export function InteractionsTab() {
  const webinar = useWebinar();
  const interactions = useInteractions();
  const isAdaptive = webinar.data?.data.kind === 'adaptive';
  const segments = useSegments({ enabled: isAdaptive });
  const failed = [interactions, segments].find(({ error, data }) => error && !data);
  if (failed) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!webinar.data || !interactions.data || (isAdaptive && !segments.data)) {
    return <Skeletons gap="md" parts={[[44, 320], [140], [220]]} />;
  }
  const parts = {
    webinar: webinar.data.data,
    interactions: interactions.data,
    segments: segments.data ?? [],
  };
  return (
    <>
      <InteractionsSection {...parts} />
      <InteractionPanel {...parts} />
    </>
  );
}

// The list does not wait for the form, which checks with the schemas of the API.
const InteractionPanelBody = lazy(async () => ({
  default: (await import('./interaction-panel-body.tsx')).InteractionPanelBody,
}));

/** The panel of a new or stored interaction. */
function InteractionPanel(parts: WebinarParts) {
  const { search, close } = useInteractionsSearch();
  const [isDirty, setDirty] = useState(false);
  const stored = parts.interactions.find(({ id }) => id === search.interaction);
  const type = search.interaction === undefined ? search.new : stored?.type;
  const isOpen = search.interaction !== undefined || search.new !== undefined;
  const verb = search.interaction === undefined ? 'New ' : '';
  const name = type ? typeLooks[type].word : 'Interaction';
  return (
    <GuardedDrawer
      opened={isOpen}
      onClose={() => close()}
      title={verb ? `${verb}${type === 'cta' ? name : name.toLowerCase()}` : name}
      size={960}
      isDirty={isOpen && isDirty}
      staysOpen={({ interaction, new: next, results }) =>
        interaction === search.interaction && next === search.new && results === search.results
      }
    >
      <Suspense fallback={<Skeleton height={480} aria-busy />}>
        {isOpen ? (
          <InteractionPanelBody
            // A new form for each interaction, and a dirty one is guarded.
            key={search.interaction ?? `${search.new} ${search.copy}`}
            {...parts}
            stored={stored}
            onDirty={setDirty}
          />
        ) : null}
      </Suspense>
    </GuardedDrawer>
  );
}
