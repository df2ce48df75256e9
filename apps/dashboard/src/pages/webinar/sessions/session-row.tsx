import { Menu, Table } from '@mantine/core';
import { IconArrowsExchange, IconCalendarEvent, IconCalendarOff, IconEye, IconUsers } from '@service/icons';
import { MoreMenu } from '../../../components/more-menu.tsx';
import styles from '../../../components/open-row.module.css';
import { OpenButton, OpenRow } from '../../../components/open-row.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import type { Session, SessionCounts, Webinar } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { MenuAction } from '../icon-actions.tsx';
import { useIsArchived } from '../use-webinar.ts';
import {
  canCancel,
  hasPeopleLeft,
  kindText,
  moveRefusal,
  placesText,
  sessionStyles,
} from './session-texts.ts';

export interface SessionActions {
  onOpen: (sessionId: string) => void;
  onMove: (session: Session) => void;
  onCancel: (session: Session) => void;
}

interface SessionRowProps extends SessionActions {
  session: Session;
  webinar: Webinar | undefined;
  /** Undefined while they are loading. */
  counts: SessionCounts | undefined;
  /** Without the column of attendance. */
  isUpcoming: boolean;
}

export function SessionRow({ session, webinar, counts, isUpcoming, ...actions }: SessionRowProps) {
  return (
    <OpenRow>
      <Table.Td>
        <OpenButton onClick={() => actions.onOpen(session.id)}>
          <SessionTime at={session.startsAt} timeZone={webinar?.timezone} />
        </OpenButton>
      </Table.Td>
      <Table.Td>
        <Status {...sessionStyles[session.status]} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{placesText(session, webinar)}</Table.Td>
      {isUpcoming ? null : (
        <Table.Td style={{ whiteSpace: 'nowrap' }}>{attendedText(session, counts)}</Table.Td>
      )}
      <Table.Td>{kindText(session)}</Table.Td>
      <Table.Td className={styles['above']} ta="end">
        <SessionMenu session={session} {...actions} />
      </Table.Td>
    </OpenRow>
  );
}

function attendedText({ status }: Session, counts: SessionCounts | undefined): string | null {
  if (!counts) return null;
  const came = counts.attending + counts.attended;
  if (status === 'live') return `${formatCount(came)}, ${formatCount(counts.inRoom)} in the room`;
  return formatCount(came);
}

function SessionMenu({ session, onOpen, onMove, onCancel }: { session: Session } & SessionActions) {
  const isArchived = useIsArchived();
  const isFixed = isArchived || moveRefusal(session) !== undefined;
  return (
    <MoreMenu label="More about this session" width={220}>
      <MenuAction icon={IconEye} label="Open" onClick={() => onOpen(session.id)} />
      <Menu.Item
        leftSection={<IconUsers size={15} />}
        c="var(--mantine-color-text)"
        renderRoot={(props) => (
          <WorkspaceLink
            {...props}
            to="/w/$workspaceId/webinars/$webinarId/registrations"
            params={{ webinarId: session.webinarId }}
            search={{ session: session.id }}
          />
        )}
      >
        Registrations
      </Menu.Item>
      <MenuAction icon={IconCalendarEvent} label="Move…" disabled={isFixed} onClick={() => onMove(session)} />
      {hasPeopleLeft(session) && !isArchived ? (
        <MenuAction icon={IconArrowsExchange} label="Move people…" onClick={() => onCancel(session)} />
      ) : null}
      <MenuAction
        icon={IconCalendarOff}
        label="Cancel session…"
        color="red"
        disabled={isArchived || !canCancel(session)}
        onClick={() => onCancel(session)}
      />
    </MoreMenu>
  );
}
