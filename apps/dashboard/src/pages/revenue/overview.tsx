import { Group, Select, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Section } from '../../components/section.tsx';
import type { RevenueSummary } from '../../trpc.ts';
import { Breakdown } from './breakdown.tsx';
import { CurrencyCards } from './currency-cards.tsx';
import { NetChart } from './net-chart.tsx';
import styles from './revenue.module.css';
import type { RevenueSearch } from './search.ts';
import type { SearchProps } from './time-filters.tsx';
import { totals, useReport, useReportInput } from './use-revenue.ts';

// Loaded for a time without events.
const NothingSold = lazy(async () => ({ default: (await import('./revenue-empty.tsx')).NothingSold }));

const barsText = 'Sales above zero; refunds and chargebacks below. Pick bars to see only their time.';
const tableText = 'Sales, refunds and chargebacks, the newest first.';

/** The sums of each currency, and the chart and the groups of one currency. */
export function Overview({ search, show }: SearchProps) {
  const { data, error, refetch } = useReport(search, totals);
  const query = useReportInput(search, totals);
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <OverviewSkeleton />;
  if (data.totals.length === 0) {
    return (
      <Suspense fallback={<Skeleton height={220} aria-busy />}>
        <NothingSold search={search} show={show} />
      </Suspense>
    );
  }
  const currencies = data.totals.map(({ currency }) => currency);
  const currency = chosenCurrency(search, data);
  return (
    <div>
      <Section
        title="Totals"
        text="One card for each currency. Amounts of different currencies are never added."
        apiCall={{ operation: 'GET /revenue/summary', params: {}, query }}
      >
        <CurrencyCards totals={data.totals} />
      </Section>
      {currency === undefined ? null : (
        <>
          <Section
            title="Net over time"
            text={search.chart === 'table' ? tableText : barsText}
            action={<CurrencySelect currencies={currencies} currency={currency} show={show} />}
          >
            <NetChart key={currency} currency={currency} search={search} show={show} />
          </Section>
          <Breakdown currency={currency} search={search} show={show} />
        </>
      )}
    </div>
  );
}

/** The currency of the URL while the time has events in it, else the one with the most purchases. */
function chosenCurrency({ currency }: RevenueSearch, { totals }: RevenueSummary): string | undefined {
  if (totals.some((total) => total.currency === currency)) return currency;
  return totals.toSorted((one, other) => other.purchases - one.purchases)[0]?.currency;
}

interface CurrencySelectProps extends Pick<SearchProps, 'show'> {
  currencies: readonly string[];
  currency: string;
}

function CurrencySelect({ currencies, currency, show }: CurrencySelectProps) {
  if (currencies.length === 1) {
    return (
      <Text size="sm" c="dimmed">
        In {currency}
      </Text>
    );
  }
  return (
    <Select
      className={styles['currency']}
      aria-label="Currency of the chart and the groups"
      allowDeselect={false}
      searchable={currencies.length > 8}
      data={[...currencies]}
      value={currency}
      onChange={(next) => show({ currency: next ?? undefined })}
    />
  );
}

const OverviewSkeleton = () => (
  <div aria-busy>
    <Group gap="md" mb="xl">
      <Skeleton height={176} maw={360} />
    </Group>
    <Skeleton height={260} mb="xl" />
    <Skeleton height={240} />
  </div>
);
