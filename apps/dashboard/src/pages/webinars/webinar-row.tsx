import { Table } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { WebinarStatus } from '../../components/webinar-status.tsx';
import { formatCount, formatDuration } from '../../format.ts';
import type { Webinar } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { WebinarMenu } from '../webinar/actions/webinar-menu.tsx';
import styles from './webinar-row.module.css';

export function WebinarRow({ webinar }: { webinar: Webinar }) {
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const { nextSession } = webinar;
  const target = {
    to: '/w/$workspaceId/webinars/$webinarId',
    params: { workspaceId: workspace.id, webinarId: webinar.id },
  } as const;
  return (
    <Table.Tr className={styles['row']}>
      <Table.Td maw={{ base: 220, sm: 340 }}>
        <Link {...target} className={styles['title']} title={webinar.title}>
          {webinar.title}
        </Link>
      </Table.Td>
      <Table.Td>
        <WebinarStatus status={webinar.status} />
      </Table.Td>
      <Table.Td c={nextSession ? undefined : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
        {nextSession ? (
          <SessionTime at={nextSession.startsAt} timeZone={webinar.timezone} />
        ) : (
          noSession(webinar)
        )}
      </Table.Td>
      <Table.Td ta="right">{nextSession ? formatCount(nextSession.registrationCount) : null}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDuration(webinar.durationSeconds)}</Table.Td>
      <Table.Td>
        <RelativeTime at={webinar.createdAt} />
      </Table.Td>
      <Table.Td className={styles['menu']}>
        <WebinarMenu webinar={webinar} onOpen={() => void navigate(target)} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Publishing creates the sessions, so a draft has none. */
const noSession = ({ status, schedule }: Webinar): string => {
  if (status === 'draft') return 'After publishing';
  if (schedule.justInTime) return 'Just-in-time';
  return schedule.onDemand ? 'On demand' : 'None planned';
};
