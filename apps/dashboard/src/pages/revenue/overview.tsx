import { Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SearchSelect } from '../../components/search-select.tsx';
import { Section } from '../../components/section.tsx';
import { formatPercent, formatPlural } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import type { RevenueSummary, RevenueTotals } from '../../trpc.ts';
import { Breakdown } from './breakdown.tsx';
import currencyCardsStyles from './currency-cards.module.css';
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
    <SearchSelect
      className={styles['currency']}
      aria-label="Currency of the chart and the groups"
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

const shownAtFirst = 6;

/** A card for each currency. */
function CurrencyCards({ totals }: { totals: readonly RevenueTotals[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? totals : totals.slice(0, shownAtFirst);
  const hidden = totals.length - shown.length;
  return (
    <>
      <ul className={currencyCardsStyles['cards']} aria-label="Totals by currency">
        {shown.map((total) => (
          <li key={total.currency} className={currencyCardsStyles['card']} aria-label={total.currency}>
            <CurrencyCard total={total} />
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <Button variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          Show {formatPlural(hidden, 'more currency', 'more currencies')}
        </Button>
      ) : null}
    </>
  );
}

function CurrencyCard({ total }: { total: RevenueTotals }) {
  const { currency, purchases, refunds, chargebacks } = total;
  const money = (minor: number): string => formatMoney(minor, currency);
  return (
    <>
      <div className={currencyCardsStyles['net']}>
        <span>Net in {currency}</span>
        <b>{money(total.netMinor)}</b>
      </div>
      <dl className={currencyCardsStyles['parts']}>
        <Part name="Gross" value={money(total.grossMinor)} more={formatPlural(purchases, 'purchase')} />
        <Part name="Refunds" value={money(total.refundsMinor)} more={formatPlural(refunds, 'refund')} />
        <Part
          name="Chargebacks"
          value={money(total.chargebacksMinor)}
          more={formatPlural(chargebacks, 'chargeback')}
        />
        {total.renewals === 0 ? null : (
          <>
            <Part
              name="First payments"
              value={money(total.grossMinor - total.renewalsMinor)}
              more={formatPlural(purchases - total.renewals, 'purchase')}
            />
            <Part
              name="Renewals"
              value={money(total.renewalsMinor)}
              more={formatPlural(total.renewals, 'purchase')}
            />
          </>
        )}
        <Part
          name="Per registrant"
          value={averageText(total.perRegistrantMinor, currency)}
          more={peopleText(total.registrants, 'registrant')}
        />
        <Part
          name="Per attendee"
          value={averageText(total.perAttendeeMinor, currency)}
          more={peopleText(total.attendees, 'attendee')}
        />
        <Part
          name="Unattributed"
          value={total.unattributedShare === null ? '–' : formatPercent(total.unattributedShare)}
          more="of gross"
        />
      </dl>
    </>
  );
}

/** A dash where there is nothing to divide by. */
const averageText = (minor: number | null, currency: string): string =>
  minor === null ? '–' : formatMoney(minor, currency);

const peopleText = (count: number | null, noun: string): string =>
  count === null ? 'Not counted' : formatPlural(count, noun);

const Part = ({ name, value, more }: { name: string; value: string; more: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value}
      <span className={currencyCardsStyles['more']}>{more}</span>
    </dd>
  </div>
);
