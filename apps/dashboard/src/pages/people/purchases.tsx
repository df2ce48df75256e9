import { Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatMoney } from '../../money.ts';
import type { usePaged } from '../../paged.ts';
import type { RevenueEvent } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { reasonText, sourceText, typeTexts } from '../revenue/revenue-texts.ts';
import styles from './people.module.css';

/** The events of revenue of one address. Each leads to its credit. */
export function Purchases({ events }: { events: ReturnType<typeof usePaged<RevenueEvent>> }) {
  const { workspace } = useWorkspace();
  const { items, error, refetch } = events;
  if (error && !items) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!items) return <Skeleton height={64} aria-busy />;
  return (
    <>
      {items.length === 0 && !events.hasNextPage ? (
        <Text size="sm" c="dimmed">
          No purchase with this address.
        </Text>
      ) : null}
      <ul className={styles['registrations']} aria-label="Purchases">
        {items.map(({ id, type, amountMinor, currency, source, credit, occurredAt }) => (
          <li key={id} className={styles['registration']}>
            <div className={styles['head']}>
              <Link
                className={styles['title']}
                to="/w/$workspaceId/revenue"
                params={{ workspaceId: workspace.id }}
                search={{ tab: 'events', event: id }}
              >
                {typeTexts[type]}
              </Link>
              <span>{formatMoney(amountMinor, currency)}</span>
              <span>
                {credit.level === 'unattributed'
                  ? reasonText(credit.reason)
                  : (credit.webinarTitle ?? 'A deleted webinar')}
              </span>
              <Text span size="xs" c="dimmed">
                {sourceText(source)}, <RelativeTime at={occurredAt} />
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore {...events} />
    </>
  );
}
