import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import { useTRPC } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { attendanceText, countText } from './home-texts.ts';
import styles from './home.module.css';
import { failuresOf, successesOf, useTimes } from './use-times.ts';

/** Currencies with a number of their own. The page of revenue has all. */
const currenciesMax = 2;

/** The last 30 days, each number with that of the 30 days before. */
export function Numbers() {
  const trpc = useTRPC();
  const times = useTimes();
  const trend = useQuery(trpc.people.trend.queryOptions());
  const deliveries = useQuery(trpc.deliveries.histogram.queryOptions(times.month));
  const deliveriesBefore = useQuery(trpc.deliveries.histogram.queryOptions(times.monthBefore));
  const revenue = useQuery(trpc.revenue.summary.queryOptions({ ...times.month, by: 'level' }));
  const revenueBefore = useQuery(trpc.revenue.summary.queryOptions({ ...times.monthBefore, by: 'level' }));
  const queries = [trend, deliveries, deliveriesBefore, revenue, revenueBefore];
  const error = queries.find((query) => query.error && !query.data)?.error;
  if (error) return <FailureNotice error={error} />;
  const { countedMax, current, former } = trend.data?.data ?? {};
  const netBefore = new Map(revenueBefore.data?.data.totals.map((one) => [one.currency, one.netMinor]));
  return (
    <Section
      title="Last 30 days"
      text="Below each number: the 30 days before."
      action={
        (revenue.data?.data.totals.length ?? 0) > currenciesMax ? (
          <WorkspaceLink to="/w/$workspaceId/revenue">Revenue in all currencies</WorkspaceLink>
        ) : null
      }
    >
      {queries.every(({ data }) => data) && current && former ? (
        <dl className={styles['numbers']}>
          <Figure
            name="Registrations"
            value={countText(current.registrations, countedMax)}
            before={countText(former.registrations, countedMax)}
          />
          <Figure name="Attendance" value={attendanceText(current)} before={attendanceText(former)} />
          <Figure
            name="Webhooks delivered"
            value={formatCount(successesOf(deliveries.data?.data))}
            before={formatCount(successesOf(deliveriesBefore.data?.data))}
          />
          <Figure
            name="Webhooks failed"
            value={formatCount(failuresOf(deliveries.data?.data))}
            before={formatCount(failuresOf(deliveriesBefore.data?.data))}
          />
          {revenue.data?.data.totals.slice(0, currenciesMax).map(({ currency, netMinor }) => (
            <Figure
              key={currency}
              name={`Net revenue in ${currency}`}
              value={formatMoney(netMinor, currency)}
              before={formatMoney(netBefore.get(currency) ?? 0, currency)}
            />
          ))}
        </dl>
      ) : (
        <Skeleton height={96} aria-busy />
      )}
    </Section>
  );
}

const Figure = ({ name, value, before }: { name: string; value: string; before: string }) => (
  <div className={styles['number']}>
    <dt>{name}</dt>
    <dd className={styles['value']}>{value}</dd>
    <dd className={styles['before']}>{before} before</dd>
  </div>
);
