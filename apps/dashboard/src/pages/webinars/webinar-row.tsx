import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RelativeTime } from '../../components/relative-time.tsx';
import { WebinarStatus } from '../../components/webinar-status.tsx';
import { formatDuration, formatSessionTime } from '../../format.ts';
import type { Webinar } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import styles from './webinar-row.module.css';

export function WebinarRow({ webinar }: { webinar: Webinar }) {
  const { workspace } = useWorkspace();
  const { nextSession } = webinar;
  return (
    <Table.Tr className={styles['row']}>
      <Table.Td maw={{ base: 220, sm: 380 }}>
        <Link
          to="/w/$workspaceId/webinars/$webinarId"
          params={{ workspaceId: workspace.id, webinarId: webinar.id }}
          className={styles['title']}
          title={webinar.title}
        >
          {webinar.title}
        </Link>
      </Table.Td>
      <Table.Td>
        <WebinarStatus status={webinar.status} />
      </Table.Td>
      <Table.Td c={nextSession ? undefined : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
        {nextSession ? formatSessionTime(nextSession.startsAt, webinar.timezone) : noSession(webinar)}
      </Table.Td>
      <Table.Td>{nextSession ? <RelativeTime at={nextSession.startsAt} /> : null}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDuration(webinar.durationSeconds)}</Table.Td>
      <Table.Td>
        <RelativeTime at={webinar.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Publishing creates the sessions, so a draft has none. */
const noSession = ({ status }: Webinar): string => (status === 'draft' ? 'After publishing' : 'None planned');
