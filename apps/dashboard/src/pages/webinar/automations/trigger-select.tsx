import { Select, Text } from '@mantine/core';
import type { TriggerForm } from '../../../trpc.ts';

interface TriggerSelectProps {
  triggers: readonly TriggerForm[];
  value: TriggerForm['type'];
  onChange: (trigger: TriggerForm) => void;
}

/** All triggers of the service, in groups. The search also finds words of the descriptions. */
export function TriggerSelect({ triggers, value, onChange }: TriggerSelectProps) {
  const groups = Map.groupBy(triggers, ({ group }) => group);
  const descriptionOf = (type: string) => triggers.find((one) => one.type === type)?.description ?? '';
  return (
    <Select
      label="Trigger"
      description={descriptionOf(value)}
      allowDeselect={false}
      searchable
      maxDropdownHeight={360}
      nothingFoundMessage="No such trigger"
      data={[...groups].map(([group, items]) => ({
        group,
        items: items.map(({ type, when }) => ({ value: type, label: when })),
      }))}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <Text size="xs" c="dimmed">
            {descriptionOf(option.value)}
          </Text>
        </div>
      )}
      filter={({ options, search }) => {
        const wanted = search.trim().toLowerCase();
        const isFound = ({ value: type, label }: { value: string; label: string }) =>
          `${label} ${type} ${descriptionOf(type)}`.toLowerCase().includes(wanted);
        return options
          .map((option) => ('group' in option ? { ...option, items: option.items.filter(isFound) } : option))
          .filter((option) => ('group' in option ? option.items.length > 0 : isFound(option)));
      }}
      value={value}
      onChange={(chosen) => {
        const next = triggers.find(({ type }) => type === chosen);
        if (next) onChange(next);
      }}
    />
  );
}
