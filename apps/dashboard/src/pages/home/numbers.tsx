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

/** Currencies with a number of their own: those with the most purchases. The page of revenue has all. */
const currenciesMax = 2;

/** The last 30 days, each number with that of the 30 days before. */
export function Numbers() {
  const trpc = useTRPC();
  const trend = useQuery(trpc.people.trend.queryOptions());
  const deliveries = useQuery(trpc.deliveries.trend.queryOptions());
  const revenue = useQuery(trpc.revenue.trend.queryOptions());
  const queries = [trend, deliveries, revenue];
  const error = queries.find((query) => query.error && !query.data)?.error;
  if (error) return <FailureNotice error={error} />;
  const { countedMax, current, former } = trend.data?.data ?? {};
  const sent = deliveries.data?.data;
  const netBefore = new Map(revenue.data?.data.former.map((one) => [one.currency, one.netMinor]));
  return (
    <Section
      title="Last 30 days"
      text="Below each number: the 30 days before."
      action={
        (revenue.data?.data.current.length ?? 0) > currenciesMax ? (
          <WorkspaceLink to="/w/$workspaceId/revenue">Revenue in all currencies</WorkspaceLink>
        ) : null
      }
    >
      {queries.every(({ data }) => data) && current && former && sent ? (
        <dl className={styles['numbers']}>
          <Figure
            name="Registrations"
            value={countText(current.registrations, countedMax)}
            before={countText(former.registrations, countedMax)}
          />
          <Figure name="Attendance" value={attendanceText(current)} before={attendanceText(former)} />
          <Figure
            name="Webhooks delivered"
            value={formatCount(sent.current.success)}
            before={formatCount(sent.former.success)}
          />
          <Figure
            name="Webhooks failed"
            value={countText(sent.current.failure, sent.countedMax)}
            before={countText(sent.former.failure, sent.countedMax)}
          />
          {revenue.data?.data.current.slice(0, currenciesMax).map(({ currency, netMinor }) => (
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
