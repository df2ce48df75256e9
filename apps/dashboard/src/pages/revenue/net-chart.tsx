import { Button, SegmentedControl, Skeleton, Table, Text } from '@mantine/core';
import type { Period } from '@service/catalogue';
import { IconChartBar, IconTable } from '@service/icons';
import { useState } from 'react';
import { BarPicker } from '../../components/bar-picker.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { AmountCell, AmountHead, TableCard } from '../../components/table-card.tsx';
import { formatMoney, formatMoneyShort } from '../../money.ts';
import { formatDays, formatShortDay } from './days.ts';
import { periodOf, periodsFor, reportSpanOf } from './filters.ts';
import { heightsOf, netBars, parts, totalOf, type NetBar, type Sums } from './net-bars.ts';
import styles from './net-chart.module.css';
import type { SearchProps } from './time-filters.tsx';
import { useReport, useToday } from './use-revenue.ts';

const periodTexts: Record<Period, string> = { day: 'Days', week: 'Weeks', month: 'Months' };

interface NetChartProps extends SearchProps {
  currency: string;
}

/** Sales, refunds and chargebacks over time, as bars or as a table. */
export function NetChart({ currency, search, show }: NetChartProps) {
  const span = reportSpanOf(search, useToday());
  const period = periodOf(search, span);
  const { data, error, refetch, isPlaceholderData } = useReport(search, { by: period, currency });
  const isTable = search.chart === 'table';
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  // Sums of days are no placeholder for those of weeks.
  if (!data || isPlaceholderData) return <Skeleton height={300} aria-busy />;
  const bars = netBars(
    data.groups.map(({ key, ...sums }) => ({ key: key ?? '', ...sums })),
    { ...span, period },
  );
  return (
    <div className={styles['card']}>
      {isTable ? (
        <BarTable bars={bars} currency={currency} />
      ) : (
        <Bars bars={bars} currency={currency} onPick={(from, to) => show({ from, to })} />
      )}
      <div className={styles['foot']}>
        <SegmentedControl
          aria-label="Time of a bar"
          size="xs"
          data={periodsFor(span).map((value) => ({ value, label: periodTexts[value] }))}
          value={period}
          onChange={(next) => show({ per: next })}
        />
        <Button
          variant="default"
          size="compact-xs"
          leftSection={isTable ? <IconChartBar size={13} /> : <IconTable size={13} />}
          onClick={() => show({ chart: isTable ? undefined : 'table' })}
        >
          {isTable ? 'Show as bars' : 'Show as a table'}
        </Button>
      </div>
    </div>
  );
}

interface BarsProps {
  bars: readonly NetBar[];
  currency: string;
  onPick?: (from: string, to: string) => void;
}

function Bars({ bars, currency, onPick }: BarsProps) {
  const [shown, setShown] = useState<number>();
  const seen = shown === undefined ? undefined : bars[shown];
  const filled = bars.filter((bar) => parts.some(([name]) => bar[name] !== 0));
  const only = filled.length === 1 ? filled[0] : undefined;
  const first = bars[0]!;
  const last = bars.at(-1)!;
  const heights = bars.map(heightsOf);
  const up = Math.max(...heights.map(({ gross }) => gross));
  const down = Math.max(...heights.map(({ refunds, chargebacks }) => refunds + chargebacks));
  const scale = { up, down, whole: Math.max(1, up + down) };
  return (
    <>
      <div className={styles['head']}>
        <Text size="sm" fw={550} component="span">
          {seen ? formatDays(seen.from, seen.to) : formatDays(first.from, last.to)}
          {only && !seen ? (
            <Text span inherit fw={400} c="dimmed">
              , all on {formatDays(only.from, only.to)}
            </Text>
          ) : null}
        </Text>
        <Legend sums={seen ?? totalOf(bars)} currency={currency} />
      </div>
      <div className={styles['plot']}>
        <div className={styles['scale']} aria-hidden>
          <span style={{ top: 0 }}>{up === 0 ? null : formatMoneyShort(up, currency)}</span>
          {down === 0 ? null : <span style={{ bottom: 0 }}>{formatMoneyShort(-down, currency)}</span>}
        </div>
        <div className={styles['bars']}>
          <div className={styles['zero']} style={{ bottom: percentOf(down, scale) }} />
          <BarPicker
            name="Net over time. Pick bars to see only their time."
            labels={bars.map((bar) => `${formatDays(bar.from, bar.to)}: ${sumsText(bar, currency)}`)}
            renderBar={(index) => (
              <BarParts heights={heights[index]!} net={bars[index]!.netMinor} scale={scale} />
            )}
            onLook={setShown}
            onPick={(from, to) => onPick?.(bars[from]!.from, bars[to]!.to)}
          />
        </div>
      </div>
      <div className={styles['axis']} aria-hidden>
        {[...new Set([0, Math.floor(bars.length / 2), bars.length - 1])].map((place) => (
          <span key={place}>{formatShortDay(bars[place]!.from)}</span>
        ))}
      </div>
    </>
  );
}

const Legend = ({ sums, currency }: { sums: Sums; currency: string }) => (
  <span className={styles['legend']}>
    {parts.map(([name, word]) => (
      <span key={name}>
        <i data-part={word} aria-hidden />
        {formatMoney(sums[name], currency)} {word}
      </span>
    ))}
  </span>
);

const sumsText = (sums: Sums, currency: string): string =>
  parts.map(([name, word]) => `${formatMoney(sums[name], currency)} ${word}`).join(', ');

interface Scale {
  up: number;
  down: number;
  whole: number;
}

const percentOf = (minor: number, { whole }: Scale): string => `${(minor / whole) * 100}%`;

interface BarPartsProps {
  heights: ReturnType<typeof heightsOf>;
  net: number;
  scale: Scale;
}

/** Sales stand on the line of zero; refunds hang from it, and chargebacks from the refunds. A mark shows the net. */
function BarParts({ heights: { gross, refunds, chargebacks }, net, scale }: BarPartsProps) {
  const percent = (minor: number): string => percentOf(minor, scale);
  /** Keeps the smallest amount visible. */
  const height = (minor: number): string => `max(2px, ${percent(minor)})`;
  return (
    <>
      {gross > 0 ? (
        <span data-part="gross" style={{ bottom: percent(scale.down), height: height(gross) }} />
      ) : null}
      {refunds > 0 ? (
        <span data-part="refunds" style={{ top: percent(scale.up), height: height(refunds) }} />
      ) : null}
      {chargebacks > 0 ? (
        <span
          data-part="chargebacks"
          style={{ top: percent(scale.up + refunds), height: height(chargebacks) }}
        />
      ) : null}
      {refunds + chargebacks > 0 ? (
        <span data-part="net" style={{ bottom: percent(scale.down + net) }} />
      ) : null}
    </>
  );
}

interface BarTableProps {
  bars: readonly NetBar[];
  currency: string;
}

const heads = ['Gross', 'Refunds', 'Chargebacks', 'Net'].map((name) => (
  <AmountHead key={name}>{name}</AmountHead>
));

/** The chart as a table, the newest first. Times without events are left out. */
const BarTable = ({ bars, currency }: BarTableProps) => (
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
