import { SegmentedControl, Stack, Text } from '@mantine/core';
import { CopyableId } from '../../../components/copy.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { Interaction } from '../../../trpc.ts';
import { useInteractionsSearch } from '../use-tab-search.ts';
import { createOption, emptyValues, toValues } from './form-values.ts';
import { InteractionForm } from './interaction-form.tsx';
import { InteractionResults } from './interaction-results.tsx';
import { typeLooks } from './interaction-texts.ts';
import type { WebinarParts } from './interactions-section.tsx';

interface InteractionPanelBodyProps extends WebinarParts {
  stored: Interaction | undefined;
  onDirty: (isDirty: boolean) => void;
}

/** The form of an interaction, or its results. */
export function InteractionPanelBody({ stored, onDirty, ...parts }: InteractionPanelBodyProps) {
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
