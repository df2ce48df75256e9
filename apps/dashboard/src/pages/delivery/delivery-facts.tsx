import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyableCode, CopyableId, CopyAction } from '../../components/copy.tsx';
import type { Fact } from '../../components/facts.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { formatMilliseconds } from '../../format.ts';
import { useTRPC, type Delivery } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { SourceLink } from '../source/source-link.tsx';
import { kindWords } from '../source/source.ts';
import { failureText, isUnfinished, sourceNameOf } from './delivery-status.tsx';

/** The facts of a delivery, for its drawer. */
export function deliveryFacts(delivery: Delivery, onShow: (deliveryId: string) => void): Fact[] {
  const { webinarId, registrationId, redeliveryOf, replacedBy, executionId, source } = delivery;
  const { nextAttemptAt, durationMs } = delivery;
  const url = delivery.url ?? delivery.attemptLog.at(-1)?.url;
  const linkTo = (id: string, text: string) => (
    <Anchor key={text} component="button" type="button" inherit onClick={() => onShow(id)}>
      {text}
    </Anchor>
  );
  return [
    ['Event', <code key="event">{delivery.eventType}</code>],
    [
      'Attendee',
      registrationId && <AttendeeLink key="attendee" webinarId={webinarId} registrationId={registrationId} />,
    ],
    [
      kindWords[source?.kind ?? 'rule'],
      source && (
        <SourceLink
          key="source"
          source={{ kind: source.kind, id: source.id, webinarId, name: sourceNameOf(delivery) }}
        />
      ),
    ],
    ['Endpoint', url && <CopyableCode key="url" text={url} label="Copy endpoint URL" />],
    ['Response', responseText(delivery)],
    ['Took', durationMs === null ? null : formatMilliseconds(durationMs)],
    ['Tries', triesText(delivery)],
    ['Next try', nextAttemptAt && <DueTime key="next" at={nextAttemptAt} />],
    ['Created', <RelativeTime key="created" at={delivery.createdAt} />],
    ['Delivered', <RelativeTime key="delivered" at={delivery.deliveredAt} never="Not delivered" />],
    ['Replaced by', replacedBy && linkTo(replacedBy, 'The delivery that was sent instead')],
    ['Repeats', redeliveryOf && linkTo(redeliveryOf, 'The original delivery')],
    [
      'Execution',
      executionId && <ExecutionLink key="execution" webinarId={webinarId} executionId={executionId} />,
    ],
    ['Delivery id', <CopyableId key="id" id={delivery.id} name="delivery id" />],
  ];
}

function responseText(delivery: Delivery): string | number | null {
  if (delivery.attempts === 0) return 'Not sent yet';
  return delivery.status === 'success' ? delivery.responseCode : failureText(delivery);
}

/** "3 made, 5 left". A try that the endpoint postponed does not count, so the sum may differ from the limit. */
function triesText({ attempts, triesLeft, attemptsMax, status }: Delivery): string {
  if (isUnfinished(status)) return `${attempts} made, ${triesLeft} left`;
  return `${attempts} of at most ${Math.max(attempts, attemptsMax)}`;
}

interface AttendeeLinkProps {
  webinarId: string;
  registrationId: string;
}

/** The name and the e-mail address of an attendee, as a link to the registration. */
function AttendeeLink({ webinarId, registrationId }: AttendeeLinkProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.registrations.byIds.queryOptions({ ids: [registrationId] }));
  const registration = data?.data[0];
  return (
    <span>
      <WorkspaceLink
        to="/w/$workspaceId/webinars/$webinarId/registrations"
        params={{ webinarId }}
        search={{ registration: registrationId }}
      >
        {registration ? `${registration.name} (${registration.email})` : `…${registrationId.slice(-12)}`}
      </WorkspaceLink>{' '}
      <CopyAction text={registrationId} label="Copy registration id" />
    </span>
  );
}

/** The execution that sent a delivery: the event and the values of the conditions. */
function ExecutionLink({ webinarId, executionId }: { webinarId: string; executionId: string }) {
  return (
    <WorkspaceLink
      to="/w/$workspaceId/webinars/$webinarId/automations"
      params={{ webinarId }}
      search={{ view: 'executions', execution: executionId }}
    >
      The event and its conditions
    </WorkspaceLink>
  );
}
