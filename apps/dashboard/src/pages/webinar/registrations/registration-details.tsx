import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction, CopyableId } from '../../../components/copy.tsx';
import { Facts, Part } from '../../../components/facts.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import type { Registration, Webinar } from '../../../trpc.ts';
import { useWebinar } from '../use-webinar.ts';
import { JoinLink } from './join-link.tsx';
import { RegistrationDeliveries } from './registration-deliveries.tsx';
import type { RegistrationActions } from './registration-menu.tsx';
import { RegistrationRules } from './registration-rules.tsx';
import { RegistrationTimeline } from './registration-timeline.tsx';
import { campaignText, moveRefusal, sourceTexts, statusStyles } from './registration-texts.ts';
import { WatchBar } from './watch-bar.tsx';

interface RegistrationDetailsProps {
  registration: Registration;
  actions: RegistrationActions;
}

export function RegistrationDetails({ registration, actions }: RegistrationDetailsProps) {
  const webinar = useWebinar().data?.data;
  const { name, status } = registration;
  const { word, ...style } = statusStyles[status];
  const isCancelled = status === 'cancelled';
  return (
    <Stack gap="lg">
      <div>
        <Status {...style}>{word}</Status>
        <Text fw={600} size="lg" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      </div>
      {isCancelled ? null : (
        <>
          <JoinLink url={registration.joinUrl} />
          <Group gap="xs">
            <Button variant="default" onClick={() => actions.onRotate(registration)}>
              New join link…
            </Button>
            <GuardedButton
              variant="default"
              reason={moveRefusal(registration)}
              onClick={() => actions.onMove(registration)}
            >
              Move…
            </GuardedButton>
            <Button variant="default" c="var(--tone-bad)" onClick={() => actions.onCancel([registration])}>
              Cancel registration…
            </Button>
          </Group>
        </>
      )}
      <Facts facts={factsOf(registration, webinar)} />
      <Part title="Attendance">
        <Facts facts={attendanceOf(registration)} />
      </Part>
      <Part title="Timeline">
        <RegistrationTimeline registration={registration} />
      </Part>
      <Part title="Webhooks">
        <RegistrationDeliveries registration={registration} />
      </Part>
      <Part title="Rules">
        <RegistrationRules registration={registration} />
      </Part>
    </Stack>
  );
}

type Fact = readonly [string, ReactNode];

function factsOf(registration: Registration, webinar: Webinar | undefined): Fact[] {
  const { email, phone, referrer, customFields, metadata, timezone, locale, cancelledAt } = registration;
  const labels = new Map(webinar?.registrationForm.fields.map(({ key, label }) => [key, label]));
  const campaign = campaignText(registration);
  return [
    [
      'E-mail',
      <span key="email">
        {email} <CopyAction text={email} label="Copy e-mail address" />
      </span>,
    ],
    ...some('Phone', phone),
    ['Session', <SessionTime key="session" at={registration.sessionTime} timeZone={webinar?.timezone} />],
    ['Registered', <RelativeTime key="registered" at={registration.registeredAt} />],
    ...(cancelledAt ? [['Cancelled', <RelativeTime key="cancelled" at={cancelledAt} />] as const] : []),
    ['Source', sourceTexts[registration.source]],
    ...some('Campaign (UTM)', campaign),
    ['Revenue', revenueText(registration)],
    ...some('Referrer', referrer),
    ...some('Time zone', timezone),
    ...some('Language', locale),
    ...Object.entries(customFields).map(([key, answer]): Fact => [labels.get(key) ?? key, answer]),
    ...Object.entries(metadata).map(([key, value]): Fact => [`metadata.${key}`, value]),
    ['Registration id', <CopyableId key="id" id={registration.id} name="registration id" />],
  ];
}

/** The net of each currency: "€79.00, ¥1,200". */
const revenueText = ({ revenue = [] }: Registration): string =>
  revenue.map(({ netMinor, currency }) => formatMoney(netMinor, currency)).join(', ') || 'No purchase';

/** A row, when there is a text. */
const some = (name: string, text: string | null): Fact[] => (text ? [[name, text]] : []);

function attendanceOf({ attendance }: Registration): Fact[] {
  if (!attendance) return [['Visits', 'The join link was not opened yet.']];
  const { firstJoinedAt, lastSeenAt, leftAt, joinCount, completedAt } = attendance;
  const time = (at: string | null, never: string): ReactNode => <RelativeTime at={at} never={never} />;
  return [
    ['Watched', <WatchBar key="watched" attendance={attendance} />],
    ['Joined', time(firstJoinedAt, 'Not joined')],
    ['Times joined', formatCount(joinCount)],
    ...(firstJoinedAt
      ? ([
          ['Last seen', time(lastSeenAt, 'Never')],
          ['Left', time(leftAt, 'In the room')],
          ['Completed', time(completedAt, 'Not completed')],
        ] as const)
      : []),
  ];
}
