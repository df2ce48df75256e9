import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { GuardedDrawer } from '../../../components/guarded-drawer.tsx';
import { Notice } from '../../../components/notice.tsx';
import { CopyableId } from '../../../components/copy.tsx';
import type { Interaction } from '../../../trpc.ts';
import type { WebinarParts } from './interactions-section.tsx';
import { createOption, emptyValues, toValues } from './form-values.ts';
import { InteractionForm } from './interaction-form.tsx';
import { InteractionResults } from './interaction-results.tsx';
import { typeLooks } from './interaction-types.ts';
import { useInteractionsSearch } from './use-interactions-search.ts';

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
      {isOpen ? (
        <PanelBody
          // A new form for each interaction, and a dirty one is guarded.
          key={search.interaction ?? `${search.new} ${search.copy}`}
          {...parts}
          stored={stored}
          onDirty={setDirty}
        />
      ) : null}
    </GuardedDrawer>
  );
}

interface PanelBodyProps extends WebinarParts {
  stored: Interaction | undefined;
  onDirty: (isDirty: boolean) => void;
}

function PanelBody({ stored, onDirty, ...parts }: PanelBodyProps) {
  const { search, show } = useInteractionsSearch();
  const copied = parts.interactions.find(({ id }) => id === search.copy);
  if (search.interaction !== undefined && !stored) {
    return (
      <Notice tone="warn">
        This interaction does not exist any more. Another person may have deleted it.
      </Notice>
    );
  }
  if (!stored) {
    const first = copied ? copyOf(copied) : emptyValues(search.segment ?? null);
    return (
      <InteractionForm {...parts} type={search.new ?? 'offer'} initialValues={first} onDirty={onDirty} />
    );
  }
  return (
    <Stack gap="md">
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12, alignItems: 'center' }}>
        <SegmentedControl
          aria-label="Part of the interaction"
          data={[
            { value: 'settings', label: 'Settings' },
            { value: 'results', label: 'Results' },
          ]}
          value={search.results ? 'results' : 'settings'}
          onChange={(part) => show({ interaction: stored.id, results: part === 'results' || undefined })}
        />
        <Text size="xs" c="dimmed" component="span">
          <CopyableId id={stored.id} name={`${typeLooks[stored.type].word} id`} />
        </Text>
      </div>
      {search.results ? (
        <InteractionResults interaction={stored} />
      ) : (
        <InteractionForm
          {...parts}
          type={stored.type}
          stored={stored}
          initialValues={toValues(stored)}
          onDirty={onDirty}
        />
      )}
    </Stack>
  );
}

/** A copy has options of its own, so that answers are counted apart. */
function copyOf(interaction: Interaction) {
  const values = toValues(interaction);
  return {
    ...values,
    internalName: `${values.internalName} (copy)`.slice(0, 100),
    options: values.options.map(({ label }) => createOption(label)),
  };
}
