import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatPercent, formatPlural } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import type { RevenueTotals } from '../../trpc.ts';
import styles from './currency-cards.module.css';

const shownAtFirst = 6;

/** A card for each currency. */
export function CurrencyCards({ totals }: { totals: readonly RevenueTotals[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? totals : totals.slice(0, shownAtFirst);
  const hidden = totals.length - shown.length;
  return (
    <>
      <ul className={styles['cards']} aria-label="Totals by currency">
        {shown.map((total) => (
          <li key={total.currency} className={styles['card']} aria-label={total.currency}>
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
      <div className={styles['net']}>
        <span>Net in {currency}</span>
        <b>{money(total.netMinor)}</b>
      </div>
      <dl className={styles['parts']}>
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
      <span className={styles['more']}>{more}</span>
    </dd>
  </div>
);
