import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAll } from '../list-all.ts';
import { useTRPC, useTRPCClient, type Interaction } from '../trpc.ts';

interface InteractionFilterProps {
  label: string;
  webinarId: string;
  types: readonly Interaction['type'][];
  /** The id of an interaction. */
  value: string | undefined;
  onChange: (interactionId: string | undefined) => void;
}

const all = 'all';

/** One interaction of a webinar, or all of them. A deleted one is shown by its id. */
export function InteractionFilter({ label, webinarId, types, value, onChange }: InteractionFilterProps) {
  const trpc = useTRPC();
  const { interactions } = useTRPCClient();
  // A list with closed filters does not wait for them.
  const [isOpened, setIsOpened] = useState(value !== undefined);
  // The key of the other lists of all interactions, which share this query.
  const { data } = useQuery({
    enabled: isOpened,
    queryKey: [...trpc.interactions.pathKey(), 'all', webinarId],
    queryFn: ({ signal }) => listAll((page) => interactions.list.query({ webinarId, ...page }, { signal })),
  });
  const found = data?.filter(({ type }) => types.includes(type)) ?? [];
  const isUnknown = value !== undefined && !found.some(({ id }) => id === value);
  return (
    <Select
      label={label}
      allowDeselect={false}
      searchable={found.length > 8}
      nothingFoundMessage="No such interaction"
      data={[
        { value: all, label: 'All' },
        ...found.map(({ id, internalName }) => ({ value: id, label: internalName })),
        ...(isUnknown ? [{ value, label: `…${value.slice(-12)}` }] : []),
      ]}
      value={value ?? all}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={(id) => onChange(id === all || id === null ? undefined : id)}
    />
  );
}
