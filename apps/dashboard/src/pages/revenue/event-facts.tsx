import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatExact, formatPlural } from '../../format.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { levelTexts, sourceText } from './revenue-texts.ts';

type Fact = readonly [string, ReactNode];

const matchTexts: Record<string, string> = {
  click_id: 'Click id of the offer link',
  registration_id: 'Registration id',
  email: 'E-mail',
};

const matchText = (matchedBy: string): string => matchTexts[matchedBy] ?? matchedBy;

const pairingTexts: Record<string, string> = {
  transaction: 'By the id of the transaction',
  inferred: 'By e-mail, currency and time',
  unpaired: 'Not yet: its purchase has not arrived',
  waiting: 'Not yet: it counts nothing until its refund or chargeback has arrived',
};

/** The way in which a refund or chargeback was paired with its purchase. Undefined for a purchase. */
const pairingText = (pairing: string): string | undefined => pairingTexts[pairing];

/** The facts of an event and its credit, for its drawer. */
export function eventFacts(event: RevenueEventDetails): Fact[] {
  const { credit, email, sourceEventId } = event;
  const { webinarId, webinarTitle, registrationId, registrantName, interactionName, windowDays } = credit;
  return [
    [
      'Buyer',
      email === null ? (
        'No e-mail was given'
      ) : (
        <span key="email">
          {email} <CopyAction text={email} label="Copy e-mail address" />
        </span>
      ),
    ],
    ['Level', levelTexts[credit.level]],
    ...some('Matched by', credit.matchedBy && matchText(credit.matchedBy)),
    ...some('Webinar', webinarId && <WebinarLink key="webinar" webinarId={webinarId} title={webinarTitle} />),
    ...some(
      'Attendee',
      webinarId && registrationId && (
        <AttendeeLink
          key="attendee"
          webinarId={webinarId}
          registrationId={registrationId}
          name={registrantName}
        />
      ),
    ),
    ...some('Offer', interactionName),
    ...some('UTM source', credit.utmSource),
    ...some('Window', windowDays && formatPlural(windowDays, 'day')),
    ...some(
      'Renewal of',
      credit.renewalOf && <CopyableId key="renewal" id={credit.renewalOf} name="first payment's id" />,
    ),
    ...some('Paired with its purchase', pairingText(event.pairing)),
    ['Source', sourceText(event.source)],
    ['Occurred', <Time key="occurred" at={event.occurredAt} />],
    ['Received', <Time key="received" at={event.receivedAt} />],
    [
      'Id at the source',
      <span key="source">
        <code>{sourceEventId}</code> <CopyAction text={sourceEventId} label="Copy id at the source" />
      </span>,
    ],
    ['Event id', <CopyableId key="id" id={event.id} name="event id" />],
  ];
}

const some = (name: string, value: ReactNode): Fact[] =>
  value === null || value === undefined || value === '' ? [] : [[name, value]];

const Time = ({ at }: { at: string }) => (
  <span>
    {formatExact(at)} (<RelativeTime at={at} />)
  </span>
);

function WebinarLink({ webinarId, title }: { webinarId: string; title: string | null }) {
  const { workspace } = useWorkspace();
  if (title === null) return 'A deleted webinar';
  return (
    <Link to="/w/$workspaceId/webinars/$webinarId/details" params={{ workspaceId: workspace.id, webinarId }}>
      {title}
    </Link>
  );
}

interface AttendeeLinkProps {
  webinarId: string;
  registrationId: string;
  /** Null for a deleted registration. */
  name: string | null;
}

function AttendeeLink({ webinarId, registrationId, name }: AttendeeLinkProps) {
  const { workspace } = useWorkspace();
  return (
    <span>
      {name === null ? (
        'A deleted registration'
      ) : (
        <Link
          to="/w/$workspaceId/webinars/$webinarId/registrations"
          params={{ workspaceId: workspace.id, webinarId }}
          search={{ registration: registrationId }}
        >
          {name}
        </Link>
      )}{' '}
      <CopyAction text={registrationId} label="Copy registration id" />
    </span>
  );
}
