import { Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { formatCount, formatMilliseconds, formatPercent } from '../../format.ts';
import { useWorkspace } from '../../workspace.ts';
import { HealthBadge } from '../source/health-badge.tsx';
import { SourceLink } from '../source/source-link.tsx';
import styles from '../source/source-name.module.css';
import { kindWords } from '../source/source.ts';
import type { EndpointSource } from '../source/use-endpoints.ts';

/** The count of waiting deliveries ends here. */
const waitingMax = 10_000;

export function EndpointRow({ endpoint }: { endpoint: EndpointSource }) {
  const { workspace } = useWorkspace();
  const { kind, url, webinarId, webinarTitle, isEnabled, isHalted, health } = endpoint;
  const { waiting, oldestWaitingAt, successRate, p50Ms, p95Ms } = endpoint;
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <SourceLink source={endpoint} className={styles['name']} />
        <Text size="xs" c="dimmed" truncate title={url}>
          {`${kindWords[kind]} · ${url}`}
        </Text>
      </Table.Td>
      <Table.Td>
        {isEnabled ? (
          <HealthBadge health={health} isHalted={isHalted} />
        ) : (
          <Status tone="quiet" isHollow>
            Off
          </Status>
        )}
      </Table.Td>
      <Table.Td maw={180}>
        <Text inherit truncate title={webinarTitle}>
          <Link
            to={
              kind === 'rule'
                ? '/w/$workspaceId/webinars/$webinarId/automations'
                : '/w/$workspaceId/webinars/$webinarId/webhooks'
            }
            params={{ workspaceId: workspace.id, webinarId }}
          >
            {webinarTitle}
          </Link>
        </Text>
      </Table.Td>
      <Table.Td>
        {waiting === 0 ? null : `${formatCount(waiting)}${waiting >= waitingMax ? '+' : ''}`}
      </Table.Td>
      <Table.Td>{oldestWaitingAt === null ? null : <RelativeTime at={oldestWaitingAt} />}</Table.Td>
      <Table.Td>
        {successRate === null ? (
          <Text inherit c="dimmed">
            No tries
          </Text>
        ) : (
          formatPercent(successRate)
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {p50Ms === null || p95Ms === null
          ? null
          : `${formatMilliseconds(p50Ms)} / ${formatMilliseconds(p95Ms)}`}
      </Table.Td>
    </Table.Tr>
  );
}
