import { Anchor, Switch, Table } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCount, formatPlural } from '../../../format.ts';
import { formatRange } from '../../../time-text.ts';
import type { Interaction, ResponseCounts } from '../../../trpc.ts';
import { InteractionMenu } from './interaction-menu.tsx';
import { TypeMark } from './interaction-type.tsx';
import styles from './interactions.module.css';
import { responseText } from './response-text.ts';
import { useInteractionsSearch } from './use-interactions-search.ts';
import { useChangeInteraction } from './use-change-interaction.ts';

interface InteractionRowProps {
  interaction: Interaction;
  warnings: readonly string[];
  /** Undefined until they are counted. */
  counts: ResponseCounts | undefined;
  onDelete: () => void;
}

export function InteractionRow({ interaction, warnings, counts, onDelete }: InteractionRowProps) {
  const { show } = useInteractionsSearch();
  const { mutate, isPending, variables } = useChangeInteraction();
  const { id, internalName, showWhen } = interaction;
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
        <TypeMark type={interaction.type} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {showWhen.length === 0 ? 'Everyone' : `If ${formatPlural(showWhen.length, 'condition')}`}
      </Table.Td>
      <Table.Td>{counts ? formatCount(counts.views) : null}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {counts ? responseText(interaction, counts) : null}
      </Table.Td>
      <Table.Td ta="end">
        <InteractionMenu
          interaction={interaction}
          onResults={() => show({ interaction: id, results: true })}
          onDuplicate={() => show({ new: interaction.type, copy: id })}
          onDelete={onDelete}
        />
      </Table.Td>
    </Table.Tr>
  );
}
