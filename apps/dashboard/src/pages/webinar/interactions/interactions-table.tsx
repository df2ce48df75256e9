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
  'Name',
  'Time',
  'Type',
  'For',
  'Seen by',
  'Responses',
  <ActionsHead key="actions" />,
];

/** The names have the rest, also when the rows are virtual. */
const widths = [84, undefined, 170, 110, 120, 84, 130, 52];

export function InteractionsTable({ interactions, warnings, onDelete }: InteractionsTableProps) {
  const counts = useResponseCounts();
  return (
    <TableCard
      name="Interactions"
      columns={columns}
      minWidth={860}
      widths={widths}
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
