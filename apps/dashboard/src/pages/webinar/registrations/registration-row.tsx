import { Checkbox, Group, Menu, Skeleton, Table, Text } from '@mantine/core';
import { IconArrowsExchange, IconCopy, IconEye, IconLink, IconRefresh, IconUserX } from '@service/icons';
import { memo } from 'react';
import { CopyAction } from '../../../components/copy.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import openRow from '../../../components/open-row.module.css';
import { OpenButton, OpenRow } from '../../../components/open-row.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status, StatusButton } from '../../../components/status.tsx';
import { CutText } from '../../../components/table-card.tsx';
import { useCopy } from '../../../components/use-copy.ts';
import { formatDuration } from '../../../format.ts';
import type { DeliverySummary, Registration } from '../../../trpc.ts';
import { MenuAction } from '../icon-actions.tsx';
import { campaignText, moveRefusal, sourceTexts, statusStyles, tallyOf } from './registration-texts.ts';
import styles from './registrations.module.css';

interface RegistrationRowProps {
  registration: Registration;
  timeZone: string | undefined;
  deliveries: readonly DeliverySummary[] | undefined;
  isSelected: boolean;
  onSelect: (registration: Registration, isSelected: boolean) => void;
  actions: RegistrationActions;
}

/** Each part renders again only when its own props change: a whole row takes several milliseconds, and its webhooks are loaded last. */
export const RegistrationRow = memo(function RegistrationRow({ deliveries, ...row }: RegistrationRowProps) {
  const { registration, isSelected, actions } = row;
  return (
    <OpenRow aria-selected={isSelected}>
      <PersonCells {...row} />
      <Table.Td className={openRow['above']}>
        <DeliveryMark
          name={registration.name}
          deliveries={deliveries}
          onOpen={() => actions.onOpen(registration.id)}
        />
      </Table.Td>
      <ToolsCell registration={registration} actions={actions} />
    </OpenRow>
  );
});

const PersonCells = memo(function PersonCells({
  registration,
  timeZone,
  isSelected,
  onSelect,
  actions,
}: Omit<RegistrationRowProps, 'deliveries'>) {
  const { id, name, email, status, source } = registration;
  const campaign = campaignText(registration);
  return (
    <>
      <Table.Td className={openRow['above']}>
        <Checkbox
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect(registration, event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td maw={230}>
        <OpenButton maw="100%" onClick={() => actions.onOpen(id)}>
          <Text span inherit fw={550} truncate display="block" title={name}>
            {name}
          </Text>
        </OpenButton>
        <CutText text={email} isSmall />
      </Table.Td>
      <Table.Td>
        <Status {...statusStyles[status]} />
      </Table.Td>
      <Table.Td>
        <SessionTime at={registration.sessionTime} timeZone={timeZone} />
        {registration.sessionStatus === 'cancelled' ? (
          <div>
            <Status tone="warn" isPill={false}>
              Session cancelled
            </Status>
          </div>
        ) : null}
      </Table.Td>
      <Table.Td>
        <WatchBar attendance={registration.attendance} />
      </Table.Td>
      <Table.Td maw={170}>
        <RelativeTime at={registration.registeredAt} />
        <CutText text={campaign ? `UTM ${campaign}` : undefined} isSmall>
          {[sourceTexts[source], campaign].filter(Boolean).join(', ')}
        </CutText>
      </Table.Td>
    </>
  );
});

const ToolsCell = memo(function ToolsCell({
  registration,
  actions,
}: Pick<RegistrationRowProps, 'registration' | 'actions'>) {
  const { id, name, status, joinUrl } = registration;
  const [, copyLink] = useCopy(joinUrl);
  const [, copyId] = useCopy(id);
  const { isReadOnly } = actions;
  const hasLink = status !== 'cancelled' && !isReadOnly;
  return (
    <Table.Td className={openRow['above']} ta="end">
      <Group gap={2} wrap="nowrap" justify="flex-end">
        {hasLink ? <CopyAction text={joinUrl} label={`Copy join link of ${name}`} /> : null}
        <MoreMenu label={`More about ${name}`} width={230}>
          <MenuAction icon={IconEye} label="Open" onClick={() => actions.onOpen(id)} />
          <MenuAction icon={IconLink} label="Copy join link" disabled={!hasLink} onClick={copyLink} />
          <MenuAction icon={IconCopy} label="Copy registration id" onClick={copyId} />
          <Menu.Divider />
          <MenuAction
            icon={IconArrowsExchange}
            label="Move to another session…"
            disabled={isReadOnly || moveRefusal(registration) !== undefined}
            onClick={() => actions.onMove(registration)}
          />
          <MenuAction
            icon={IconRefresh}
            label="New join link…"
            disabled={!hasLink}
            onClick={() => actions.onRotate([registration])}
          />
          <MenuAction
            icon={IconUserX}
            label="Cancel registration…"
            color="red"
            disabled={!hasLink}
            onClick={() => actions.onCancel([registration])}
          />
        </MoreMenu>
      </Group>
    </Table.Td>
  );
});

interface DeliveryMarkProps {
  name: string;
  /** Undefined while they are loading. */
  deliveries: readonly DeliverySummary[] | undefined;
  onOpen: () => void;
}

/** All webhooks of one attendee as one mark. It opens their list. */
function DeliveryMark({ name, deliveries, onOpen }: DeliveryMarkProps) {
  if (!deliveries) return <Skeleton height={16} width={56} radius="xl" />;
  const tally = tallyOf(deliveries);
  if (!tally) {
    return (
      <Text span inherit c="dimmed">
        None
      </Text>
    );
  }
  return (
    <StatusButton tone={tally.tone} label={`Webhooks of ${name}: ${tally.full}`} onClick={onOpen}>
      {tally.text}
    </StatusButton>
  );
}

export interface RegistrationActions {
  /** The webinar is archived, so registrations can be opened and people erased, and nothing else. */
  isReadOnly: boolean;
  onOpen: (registrationId: string) => void;
  onMove: (registration: Registration) => void;
  onCancel: (registrations: readonly Registration[]) => void;
  onRotate: (registrations: readonly Registration[]) => void;
  /** Only owners have it. */
  onErase: ((registration: Registration) => void) | undefined;
}

/** The watch time of an attendee: minutes, and percent of the video as a bar with its number. */
export function WatchBar({ attendance }: Pick<Registration, 'attendance'>) {
  if (!attendance?.firstJoinedAt) {
    return (
      <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Not joined
      </Text>
    );
  }
  const { watchedSeconds, completionPercent } = attendance;
  return (
    <span className={styles['watched']}>
      <span className={styles['watched-text']}>
        {formatDuration(watchedSeconds)} · {completionPercent} %
      </span>
      <span className={styles['bar']} aria-hidden>
        <span className={styles['part']} style={{ width: `${completionPercent}%` }} />
      </span>
    </span>
  );
}
