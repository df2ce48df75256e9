import { Anchor, Checkbox, CloseButton, Group, Input, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTRPC, type Webhook } from '../../../trpc.ts';
import styles from './event-types-input.module.css';

type SubscribableType = Webhook['eventTypes'][number];

/** The event types that a subscription can receive, in the order of the catalogue. Undefined until they are loaded. */
function useSubscribableTypes() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.automations.eventTypes.queryOptions(undefined, { staleTime: Infinity }));
  return data?.data.filter(({ subscribable }) => subscribable);
}

interface EventTypesInputProps {
  value: readonly SubscribableType[];
  onChange: (types: SubscribableType[]) => void;
  error?: ReactNode;
}

/** Event types with their descriptions. The search hides types and never unchecks them. */
export function EventTypesInput({ value, onChange, error }: EventTypesInputProps) {
  const [typed, setTyped] = useState('');
  const types = useSubscribableTypes();
  const wanted = typed.trim().toLowerCase();
  const shown = types?.filter(({ type, title, description }) =>
    `${type} ${title} ${description}`.toLowerCase().includes(wanted),
  );
  const all = types?.map(({ type }) => type as SubscribableType) ?? [];
  return (
    <Input.Wrapper
      labelElement="div"
      label="Event types"
      description={`${value.length} of ${all.length} chosen. A delivery is sent for each event of a chosen type.`}
      error={error}
    >
      <Group gap="sm" mb={8} wrap="nowrap">
        <TextInput
          className={styles['search']}
          aria-label="Search event types"
          placeholder="Search event types"
          leftSection={<IconSearch size={14} />}
          rightSection={
            typed === '' ? null : (
              <CloseButton size="sm" aria-label="Clear the search" onClick={() => setTyped('')} />
            )
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // Enter would submit the form.
          onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
        />
        <Choose onClick={() => onChange(all)}>All</Choose>
        <Choose onClick={() => onChange([])}>None</Choose>
      </Group>
      <Checkbox.Group
        aria-label="Event types"
        value={[...value]}
        onChange={(chosen) => onChange(all.filter((type) => chosen.includes(type)))}
      >
        <div className={styles['types']}>
          {shown?.map(({ type, title, description }) => (
            <Checkbox
              key={type}
              value={type}
              label={
                <>
                  {title} <code className={styles['type']}>{type}</code>
                </>
              }
              // Descriptions are written for the API reference, in Markdown.
              description={description.replaceAll('`', '')}
            />
          ))}
          {shown?.length === 0 ? (
            <Text size="sm" c="dimmed">
              No event type contains “{typed.trim()}”.
            </Text>
          ) : null}
        </div>
      </Checkbox.Group>
    </Input.Wrapper>
  );
}

const Choose = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Anchor
    component="button"
    type="button"
    size="sm"
    className={styles['choose']}
    aria-label={children === 'All' ? 'All event types' : 'None of the event types'}
    onClick={onClick}
  >
    {children}
  </Anchor>
);
