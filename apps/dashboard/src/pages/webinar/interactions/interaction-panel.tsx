import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { GuardedDrawer } from '../../../components/unsaved-guard.tsx';
import type { WebinarParts } from './interactions-section.tsx';
import { typeLooks } from './interaction-types.ts';
import { useInteractionsSearch } from './use-interactions-search.ts';

// The list does not wait for the form, which checks with the schemas of the API.
const InteractionPanelBody = lazy(async () => ({
  default: (await import('./interaction-panel-body.tsx')).InteractionPanelBody,
}));

/** The panel of a new or stored interaction. */
export function InteractionPanel(parts: WebinarParts) {
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
      size={880}
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
