import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { CopyAction, CopyableId } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatExact, formatPlural } from '../../format.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { AttendeeLink } from '../delivery/delivery-links.tsx';
import { levelTexts, matchText, pairingText, sourceText } from './revenue-texts.ts';

type Fact = readonly [string, ReactNode];

/** The facts of an event and its credit, for its drawer. */
export function eventFacts(event: RevenueEventDetails): Fact[] {
  const { credit, email, sourceEventId } = event;
  const { webinarId, webinarTitle, registrationId, interactionName, windowDays } = credit;
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
        <AttendeeLink key="attendee" webinarId={webinarId} registrationId={registrationId} />
      ),
    ),
    ...some('Offer', interactionName),
    ...some('UTM source', credit.utmSource),
    ...some('Window', windowDays && formatPlural(windowDays, 'day')),
    ...some('Paired with its purchase', pairingText(event.pairing)),
    ['Source', sourceText(event.source)],
    ['Paid', <Time key="occurred" at={event.occurredAt} />],
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
