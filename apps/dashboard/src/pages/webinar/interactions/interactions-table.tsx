import type { ConditionNames } from '@service/conditions';
import { Anchor, Menu, Switch, Table } from '@mantine/core';
import { IconAlertTriangle, IconChartBar, IconCopy, IconEye, IconTrash } from '@service/icons';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { formatCount } from '../../../format.ts';
import { formatRange } from '../../../time-text.ts';
import type { Interaction, ResponseCounts } from '../../../trpc.ts';
import { MenuAction } from '../icon-actions.tsx';
import { useInteractionsSearch } from '../use-tab-search.ts';
import { audienceText, responseText, typeLooks } from './interaction-texts.ts';
import styles from './interactions.module.css';
import { useChangeInteraction } from './use-change-interaction.ts';
import { useResponseCounts } from './use-interactions.ts';

interface InteractionsTableProps {
  interactions: readonly Interaction[];
  /** For the conditions. */
  names: ConditionNames;
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
const widths = [84, undefined, 170, 110, 210, 84, 130, 52];

export function InteractionsTable({ interactions, names, warnings, onDelete }: InteractionsTableProps) {
  const counts = useResponseCounts();
  return (
    <TableCard
      name="Interactions"
      columns={columns}
      minWidth={950}
      widths={widths}
      rows={interactions}
      renderRow={(interaction) => (
        <InteractionRow
          key={interaction.id}
          interaction={interaction}
          audience={audienceText(interaction, names)}
          warnings={warnings.get(interaction.id) ?? []}
          counts={counts.get(interaction.id)}
          onDelete={() => onDelete(interaction)}
        />
      )}
    />
  );
}

interface InteractionRowProps {
  interaction: Interaction;
  /** "Everyone" */
  audience: string;
  warnings: readonly string[];
  /** Undefined until they are counted. */
  counts: ResponseCounts | undefined;
  onDelete: () => void;
}

function InteractionRow({ interaction, audience, warnings, counts, onDelete }: InteractionRowProps) {
  const { show } = useInteractionsSearch();
  const { mutate, isPending, variables } = useChangeInteraction();
  const { id, internalName } = interaction;
  const { icon: Icon, word, tone } = typeLooks[interaction.type];
  const isEnabled = isPending ? (variables.changes.enabled ?? interaction.enabled) : interaction.enabled;
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          aria-label={`${internalName} enabled`}
          checked={isEnabled}
          onChange={(event) => mutate({ interaction, changes: { enabled: event.currentTarget.checked } })}
        />
      </Table.Td>
      <Table.Td maw={280}>
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          className={styles['name']}
          title={internalName}
          onClick={() => show({ interaction: id })}
        >
          {internalName}
        </Anchor>
        {warnings.map((warning) => (
          <span key={warning} className={styles['warning']}>
            <IconAlertTriangle size={13} aria-hidden />
            {warning}
          </span>
        ))}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {formatRange(interaction.showAtSeconds, interaction.hideAtSeconds)}
      </Table.Td>
      <Table.Td>
        <span className={styles['type']} style={{ '--tone': tone }}>
          <Icon size={15} aria-hidden />
          {word}
        </span>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{audience}</Table.Td>
      <Table.Td>{counts ? formatCount(counts.views) : null}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {counts ? responseText(interaction, counts) : null}
      </Table.Td>
      <Table.Td ta="end">
        <MoreMenu label={`More about ${internalName}`} width={180}>
          <MenuAction icon={IconEye} label="Preview" onClick={() => show({ interaction: id })} />
          <MenuAction
            icon={IconChartBar}
            label="Results"
            onClick={() => show({ interaction: id, results: true })}
          />
          <MenuAction
            icon={IconCopy}
            label="Duplicate"
            onClick={() => show({ new: interaction.type, copy: id })}
          />
          <Menu.Divider />
          <MenuAction icon={IconTrash} label="Delete" color="red" onClick={onDelete} />
        </MoreMenu>
      </Table.Td>
    </Table.Tr>
  );
}
