import { Table } from '@mantine/core';
import { AmountCell, AmountHead } from '../../components/amount-cells.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { parts, type NetBar } from './net-bars.ts';
import { formatDays } from './days.ts';

interface BarTableProps {
  bars: readonly NetBar[];
  currency: string;
}

const heads = ['Gross', 'Refunds', 'Chargebacks', 'Net'].map((name) => (
  <AmountHead key={name}>{name}</AmountHead>
));

/** The chart as a table, the newest first. Times without events are left out. */
export const BarTable = ({ bars, currency }: BarTableProps) => (
  <TableCard name="Net over time" columns={['Days', ...heads]} minWidth={520}>
    {bars
      .toReversed()
      .filter((bar) => parts.some(([name]) => bar[name] !== 0))
      .map((bar) => (
        <Table.Tr key={bar.from}>
          <Table.Td>{formatDays(bar.from, bar.to)}</Table.Td>
          {parts.map(([name]) => (
            <AmountCell key={name} minor={bar[name]} currency={currency} />
          ))}
        </Table.Tr>
      ))}
  </TableCard>
);
