import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import type { Interaction } from '../../../trpc.ts';
import { InteractionRow } from './interaction-row.tsx';
import { useResponseCounts } from './use-interactions.ts';

interface InteractionsTableProps {
  interactions: readonly Interaction[];
  warnings: ReadonlyMap<string, readonly string[]>;
  onDelete: (interaction: Interaction) => void;
}

const columns = [
  'Enabled',
  'Time',
  'Type',
  'Name',
  'For',
  'Seen by',
  'Responses',
  <ActionsHead key="actions" />,
];

export function InteractionsTable({ interactions, warnings, onDelete }: InteractionsTableProps) {
  const counts = useResponseCounts();
  return (
    <TableCard
      name="Interactions"
      columns={columns}
      minWidth={820}
      rows={interactions}
      renderRow={(interaction) => (
        <InteractionRow
          key={interaction.id}
          interaction={interaction}
          warnings={warnings.get(interaction.id) ?? []}
          counts={counts.get(interaction.id)}
          onDelete={() => onDelete(interaction)}
        />
      )}
    />
  );
}
