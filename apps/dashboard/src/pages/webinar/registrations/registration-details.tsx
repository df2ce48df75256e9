import { Button, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyableId, CopyAction } from '../../../components/copy.tsx';
import { Facts, Part, type Fact } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import { useTRPC, type DeliverySummary, type Registration, type Webinar } from '../../../trpc.ts';
import { deliveryStyles } from '../../delivery/delivery-status.tsx';
import { useRules } from '../../source/use-sources.ts';
import { AttendeeQuestion } from '../automations/attendee-question.tsx';
import { ExecutionList } from '../automations/execution-list.tsx';
import { WorkspaceLink } from '../../../workspace.ts';
import { useOpenDelivery, useWebinar } from '../use-webinar.ts';
import { PersonSends } from '../person-sends.tsx';
import { JoinLink } from './join-link.tsx';
import { RegistrationMails } from './registration-mails.tsx';
import { WatchBar, type RegistrationActions } from './registration-row.tsx';
import { campaignText, moveRefusal, sourceTexts, statusStyles } from './registration-texts.ts';
import { RegistrationTimeline } from './registration-timeline.tsx';
import styles from './registrations.module.css';

interface RegistrationDetailsProps {
  registration: Registration;
  actions: RegistrationActions;
}

export function RegistrationDetails({ registration, actions }: RegistrationDetailsProps) {
  const webinar = useWebinar().data?.data;
  const [, openDelivery] = useOpenDelivery();
  const { name, status } = registration;
  const isCancelled = status === 'cancelled';
  return (
    <Stack gap="lg">
      <div>
        <Status {...statusStyles[status]} />
        <Text fw={600} size="lg" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      </div>
      {registration.sessionStatus === 'cancelled' ? (
        <Notice tone="warn">
          The session of <SessionTime at={registration.sessionTime} timeZone={webinar?.timezone} /> was
          cancelled, so it does not take place.
        </Notice>
      ) : null}
      {isCancelled || actions.isReadOnly ? null : (
        <>
          <JoinLink url={registration.joinUrl} />
          <Group gap="xs">
            <Button variant="default" onClick={() => actions.onRotate([registration])}>
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
      {actions.onErase ? (
        <Group>
          <Button variant="default" c="var(--tone-bad)" onClick={() => actions.onErase?.(registration)}>
            Erase this person…
          </Button>
        </Group>
      ) : null}
      <Part title="Attendance">
        <Facts facts={attendanceOf(registration)} />
      </Part>
      <Part title="Timeline">
        <RegistrationTimeline registration={registration} />
      </Part>
      <RegistrationActivity
        registration={registration}
        isReadOnly={actions.isReadOnly}
        onOpenDelivery={openDelivery}
      />
    </Stack>
  );
}

interface RegistrationActivityProps {
  registration: Pick<Registration, 'id' | 'webinarId' | 'email'>;
  /** The webinar is archived. */
  isReadOnly: boolean;
  /** Opens the drawer of a delivery. */
  onOpenDelivery: (deliveryId: string) => void;
}

/** The e-mails, sends to marketing tools, webhooks and executions of one registration. */
export function RegistrationActivity({
  registration,
  isReadOnly,
  onOpenDelivery,
}: RegistrationActivityProps) {
  return (
    <Stack gap="lg">
      <Part title="E-mails">
        <RegistrationMails registration={registration} isReadOnly={isReadOnly} />
      </Part>
      <Part title="Marketing tools">
        <PersonSends
          webinarId={registration.webinarId}
          registrationId={registration.id}
          empty="Nothing was sent to a marketing tool about this person."
        />
      </Part>
      <Part title="Webhooks">
        <RegistrationDeliveries registration={registration} onOpen={onOpenDelivery} />
      </Part>
      <Part title="Rules">
        <RegistrationRules registration={registration} />
      </Part>
    </Stack>
  );
}

function factsOf(registration: Registration, webinar: Webinar | undefined): Fact[] {
  const { email, phone, referrer, customFields, metadata, timezone, locale, cancelledAt } = registration;
  const labels = new Map(webinar?.registrationForm.fields.map(({ key, label }) => [key, label]));
  return [
    [
      'E-mail',
      <Text key="email" span inherit>
        {email} <CopyAction text={email} label="Copy e-mail address" />{' '}
        <PersonLink registrationId={registration.id} />
      </Text>,
    ],
    ['Phone', phone || null],
    ['Session', <SessionTime key="session" at={registration.sessionTime} timeZone={webinar?.timezone} />],
    ['Registered', <RelativeTime key="registered" at={registration.registeredAt} />],
    ['Cancelled', cancelledAt && <RelativeTime key="cancelled" at={cancelledAt} />],
    ['Source', sourceTexts[registration.source]],
    ['Campaign (UTM)', campaignText(registration) || null],
    ['Revenue', revenueText(registration)],
    ['Consent', <ConsentText key="consent" registration={registration} />],
    ['Referrer', referrer || null],
    ['Time zone', timezone || null],
    ['Language', locale || null],
    ...Object.entries(customFields).map(([key, answer]): Fact => [labels.get(key) ?? key, answer]),
    ...Object.entries(metadata).map(([key, value]): Fact => [`metadata.${key}`, value]),
    ['Registration id', <CopyableId key="id" id={registration.id} name="registration id" />],
  ];
}

function PersonLink({ registrationId }: { registrationId: string }) {
  return (
    <WorkspaceLink to="/w/$workspaceId/people/$registrationId" params={{ registrationId }}>
      All webinars of this person
    </WorkspaceLink>
  );
}

function ConsentText({ registration: { consent } }: { registration: Registration }) {
  if (!consent) return 'Not asked';
  return (
    <>
      {consent.given ? 'Given' : 'Not given'} <RelativeTime at={consent.at} />
      {consent.text === null ? null : `: “${consent.text}”`}
    </>
  );
}

/** The net of each currency: "€79.00, ¥1,200". */
const revenueText = ({ revenue = [] }: Registration): string =>
  revenue.map(({ netMinor, currency }) => formatMoney(netMinor, currency)).join(', ') || 'No purchase';

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

/** The evaluations of rules for one registration, and the question why a rule did not fire. */
function RegistrationRules({ registration }: Pick<RegistrationActivityProps, 'registration'>) {
  const { webinarId, id: registrationId } = registration;
  const rules = useRules(webinarId).data?.data ?? [];
  return (
    <Stack gap="md">
      <ExecutionList
        webinarId={webinarId}
        registrationId={registrationId}
        empty={
          <Text size="sm" c="dimmed">
            No rule was evaluated for this person.
          </Text>
        }
      />
      {rules.length > 0 ? (
        <AttendeeQuestion webinarId={webinarId} rules={rules} registrationId={registrationId} />
      ) : null}
    </Stack>
  );
}

interface RegistrationDeliveriesProps {
  registration: Pick<Registration, 'id' | 'webinarId'>;
  onOpen: (deliveryId: string) => void;
}

/** The webhooks that were sent for one registration, newest first. Each opens its drawer. */
function RegistrationDeliveries({ registration, onOpen }: RegistrationDeliveriesProps) {
  const trpc = useTRPC();
  const { webinarId, id } = registration;
  const { data, error, refetch } = useQuery(
    trpc.automations.registrationDeliveries.queryOptions({ webinarId, registrationIds: [id] }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  const deliveries = data?.data[0]?.deliveries;
  if (!deliveries) return <Skeleton height={64} />;
  if (deliveries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No webhook was sent for this person.
      </Text>
    );
  }
  return (
    <ul className={styles['deliveries']}>
      {deliveries.toReversed().map((delivery) => (
        <li key={delivery.id}>
          <DeliveryButton delivery={delivery} onOpen={() => onOpen(delivery.id)} />
        </li>
      ))}
    </ul>
  );
}

function DeliveryButton({ delivery, onOpen }: { delivery: DeliverySummary; onOpen: () => void }) {
  const { sourceName, eventType, status, responseCode, redeliveryOf, createdAt } = delivery;
  const { word, ...style } = deliveryStyles[status];
  return (
    <UnstyledButton className={styles['delivery']} onClick={onOpen}>
      <span className={styles['what']}>
        <code>{eventType}</code> to {sourceName}
        {redeliveryOf ? ', sent again' : ''}
      </span>
      <Status {...style}>{responseCode ? `${word}, ${responseCode}` : word}</Status>
      <Text span size="xs" c="dimmed" className={styles['when']}>
        <RelativeTime at={createdAt} />
      </Text>
    </UnstyledButton>
  );
}
