import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter } from './choice-filter.tsx';
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
    <ChoiceFilter
      label={label}
      searchable={found.length > 8}
      nothingFoundMessage="No such interaction"
      choices={[
        ...found.map(({ id, internalName }) => ({ value: id, label: internalName })),
        ...(isUnknown ? [{ value, label: `…${value.slice(-12)}` }] : []),
      ]}
      value={value}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={onChange}
    />
  );
}
