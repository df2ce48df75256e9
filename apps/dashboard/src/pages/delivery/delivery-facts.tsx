import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { formatMilliseconds } from '../../format.ts';
import { useTRPC, type Delivery } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { SourceLink } from '../source/source-link.tsx';
import { kindWords } from '../source/source.ts';
import { failureText, isUnfinished, sourceNameOf } from './delivery-status.ts';

type Fact = [string, ReactNode];

/** The facts of a delivery, for its drawer. */
export function deliveryFacts(delivery: Delivery, onShow: (deliveryId: string) => void): Fact[] {
  const { registrationId, redeliveryOf, replacedBy, nextAttemptAt, durationMs, source } = delivery;
  const url = delivery.url ?? delivery.attemptLog.at(-1)?.url;
  const linkTo = (id: string, text: string) => (
    <Anchor key={text} component="button" type="button" inherit onClick={() => onShow(id)}>
      {text}
    </Anchor>
  );
  return [
    ['Event', <code key="event">{delivery.eventType}</code>],
    ...some(registrationId, (id) => [
      'Attendee',
      <AttendeeLink key="attendee" webinarId={delivery.webinarId} registrationId={id} />,
    ]),
    ...some(source, ({ kind, id }) => [
      kindWords[kind],
      <SourceLink
        key="source"
        source={{ kind, id, webinarId: delivery.webinarId, name: sourceNameOf(delivery) }}
      />,
    ]),
    ...some(url, (text) => ['Endpoint', <CopyableCode key="url" text={text} />]),
    ['Response', delivery.attempts === 0 ? 'Not sent yet' : responseText(delivery)],
    ...some(durationMs, (ms) => ['Took', formatMilliseconds(ms)]),
    ['Tries', triesText(delivery)],
    ...some(nextAttemptAt, (at) => ['Next try', <DueTime key="next" at={at} />]),
    ['Created', <RelativeTime key="created" at={delivery.createdAt} />],
    ['Delivered', <RelativeTime key="delivered" at={delivery.deliveredAt} never="Not delivered" />],
    ...some(replacedBy, (id) => ['Replaced by', linkTo(id, 'The delivery that was sent instead')]),
    ...some(redeliveryOf, (id) => ['Repeats', linkTo(id, 'The original delivery')]),
    ...some(delivery.executionId, (id) => [
      'Execution',
      <ExecutionLink key="execution" webinarId={delivery.webinarId} executionId={id} />,
    ]),
    ['Delivery id', <CopyableId key="id" id={delivery.id} name="delivery id" />],
  ];
}

/** A row, when the value exists. */
const some = <Value,>(value: Value | null | undefined, toFact: (value: Value) => Fact): Fact[] =>
  value === null || value === undefined ? [] : [toFact(value)];

const CopyableCode = ({ text }: { text: string }) => (
  <span>
    <code>{text}</code> <CopyAction text={text} label="Copy endpoint URL" />
  </span>
);

function responseText(delivery: Delivery): ReactNode {
  if (delivery.status === 'success') return delivery.responseCode;
  return failureText(delivery);
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
  const { workspace } = useWorkspace();
  const { data } = useQuery(trpc.registrations.byIds.queryOptions({ ids: [registrationId] }));
  const registration = data?.data[0];
  return (
    <span>
      <Link
        to="/w/$workspaceId/webinars/$webinarId/registrations"
        params={{ workspaceId: workspace.id, webinarId }}
        search={{ registration: registrationId }}
      >
        {registration ? `${registration.name} (${registration.email})` : `…${registrationId.slice(-12)}`}
      </Link>{' '}
      <CopyAction text={registrationId} label="Copy registration id" />
    </span>
  );
}

/** The execution that sent a delivery: the event and the values of the conditions. */
function ExecutionLink({ webinarId, executionId }: { webinarId: string; executionId: string }) {
  const { workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspaceId/webinars/$webinarId/automations"
      params={{ workspaceId: workspace.id, webinarId }}
      search={{ view: 'executions', execution: executionId }}
    >
      The event and its conditions
    </Link>
  );
}
