import { Text } from '@mantine/core';
import { CopyableCode, CopyableId, CopyAction } from '../../components/copy.tsx';
import type { Fact } from '../../components/facts.tsx';
import { ExactTime } from '../../components/relative-time.tsx';
import { formatPlural } from '../../format.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { levelTexts, sourceText } from './revenue-texts.ts';

const matchTexts: Record<string, string> = {
  click_id: 'Click id of the offer link',
  registration_id: 'Registration id',
  email: 'E-mail',
};

/** The way in which a refund or chargeback was paired with its purchase. A purchase has none. */
const pairingTexts: Record<string, string> = {
  transaction: 'By the id of the transaction',
  inferred: 'By e-mail, currency and time',
  unpaired: 'Not yet: its purchase has not arrived',
  waiting: 'Not yet: it counts nothing until its refund or chargeback has arrived',
};

/** The facts of an event and its credit, for its drawer. */
export function eventFacts(event: RevenueEventDetails): Fact[] {
  const { credit, email } = event;
  const { webinarId, webinarTitle, registrationId, registrantName, interactionName, windowDays } = credit;
  return [
    [
      'Buyer',
      email === null ? (
        'No e-mail was given'
      ) : (
        <Text key="email" span inherit>
          {email} <CopyAction text={email} label="Copy e-mail address" />{' '}
          <PersonLink email={email} registrationId={credit.decision ? null : registrationId} />
        </Text>
      ),
    ],
    ['Level', levelTexts[credit.level]],
    [
      'Matched by',
      credit.decision ? 'An owner' : credit.matchedBy && (matchTexts[credit.matchedBy] ?? credit.matchedBy),
    ],
    ['Webinar', webinarId && <WebinarLink key="webinar" webinarId={webinarId} title={webinarTitle} />],
    [
      'Attendee',
      webinarId && registrationId && (
        <AttendeeLink
          key="attendee"
          webinarId={webinarId}
          registrationId={registrationId}
          name={registrantName}
        />
      ),
    ],
    ['Offer', interactionName],
    ['UTM source', credit.utmSource || null],
    ['Window', windowDays && formatPlural(windowDays, 'day')],
    [
      'Renewal of',
      credit.renewalOf && <CopyableId key="renewal" id={credit.renewalOf} name="first payment's id" />,
    ],
    ['Paired with its purchase', pairingTexts[event.pairing]],
    ['Source', sourceText(event.source)],
    ['Occurred', <ExactTime key="occurred" at={event.occurredAt} />],
    ['Received', <ExactTime key="received" at={event.receivedAt} />],
    [
      'Id at the source',
      <CopyableCode key="source" text={event.sourceEventId} label="Copy id at the source" />,
    ],
    ['Event id', <CopyableId key="id" id={event.id} name="event id" />],
  ];
}

function WebinarLink({ webinarId, title }: { webinarId: string; title: string | null }) {
  if (title === null) return 'A deleted webinar';
  return (
    <WorkspaceLink to="/w/$workspaceId/webinars/$webinarId/details" params={{ webinarId }}>
      {title}
    </WorkspaceLink>
  );
}

/** Leads to the person of a registration, or to the people with this address: a credit by hand may be that of another person. */
function PersonLink({ email, registrationId }: { email: string; registrationId: string | null }) {
  if (registrationId === null)
    return (
      <WorkspaceLink to="/w/$workspaceId/people" search={{ q: email }}>
        Find in People
      </WorkspaceLink>
    );
  return (
    <WorkspaceLink to="/w/$workspaceId/people/$registrationId" params={{ registrationId }}>
      Open person
    </WorkspaceLink>
  );
}

interface AttendeeLinkProps {
  webinarId: string;
  registrationId: string;
  /** Null for a deleted registration. */
  name: string | null;
}

function AttendeeLink({ webinarId, registrationId, name }: AttendeeLinkProps) {
  return (
    <span>
      {name === null ? (
        'A deleted registration'
      ) : (
        <WorkspaceLink
          to="/w/$workspaceId/webinars/$webinarId/registrations"
          params={{ webinarId }}
          search={{ registration: registrationId }}
        >
          {name}
        </WorkspaceLink>
      )}{' '}
      <CopyAction text={registrationId} label="Copy registration id" />
    </span>
  );
}
