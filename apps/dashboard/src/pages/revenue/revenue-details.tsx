import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Facts, Part } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { Status } from '../../components/status.tsx';
import { AmountCell, AmountHead, TableCard } from '../../components/table-card.tsx';
import { formatExact } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import { CreditActions } from './credit-actions.tsx';
import { eventFacts } from './event-facts.tsx';
import styles from './revenue-details.module.css';
import { stateStyles, toLocalTimes, typeTexts } from './revenue-texts.ts';

interface RevenueDetailsProps {
  event: RevenueEventDetails;
  onShow: (eventId: string) => void;
}

export function RevenueDetails({ event, onShow }: RevenueDetailsProps) {
  const { reasons, others } = splitExplanation(event);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <div>
          <Text size="sm" c="dimmed">
            {typeTexts[event.type]}
          </Text>
          <Text className={styles['amount']}>{formatMoney(event.amountMinor, event.currency)}</Text>
        </div>
        <ShowApiCall
          call={{ operation: 'GET /revenue/events/{revenueEventId}', params: { revenueEventId: event.id } }}
          of="this event"
        />
      </Group>
      {event.state === null ? null : (
        <div>
          <Status {...stateStyles[event.state]} />
        </div>
      )}
      {event.overRefunded ? (
        <Notice tone="warn">
          The refunds and chargebacks of this payment are higher than its amount. The amounts are kept as they
          were reported.
        </Notice>
      ) : null}
      <Part title="How this was credited">
        <ol className={styles['sentences']}>
          {reasons.map((sentence) => (
            <li key={sentence}>{toLocalTimes(sentence)}</li>
          ))}
        </ol>
        <CreditTimeline steps={event.timeline} />
      </Part>
      <CreditActions event={event} />
      {others.length === 0 ? null : (
        <Part title="Also considered">
          <ul className={styles['others']}>
            {others.map((sentence) => (
              <li key={sentence}>{toLocalTimes(sentence)}</li>
            ))}
          </ul>
        </Part>
      )}
      <PaymentEvents event={event} onShow={onShow} />
      <Part title="Details">
        <Facts facts={eventFacts(event)} />
      </Part>
      <EventJson event={event} />
    </Stack>
  );
}

/** The sentences about the credit, and those about touches without it, which come last. */
function splitExplanation({ explanation, considered }: RevenueEventDetails) {
  const { touches, moreCount, isCut } = considered;
  const end = explanation.length - touches.length - (moreCount > 0 ? 1 : 0) - (isCut ? 1 : 0);
  return { reasons: explanation.slice(0, end), others: explanation.slice(end) };
}

function EventJson({ event }: { event: RevenueEventDetails }) {
  const json = JSON.stringify(event, null, 2);
  return (
    <details>
      <summary className={styles['summary']}>JSON</summary>
      <Group justify="flex-end" mb={8}>
        <CopyButton text={json} label="Copy JSON" size="compact-sm" />
      </Group>
      <CodeBlock text={json} label="The event as JSON" testId="revenue-json" />
    </details>
  );
}

type Step = RevenueEventDetails['timeline'][number];

const stepTexts: Record<Step['step'], string> = {
  registered: 'Registered',
  joined: 'Joined the session',
  clicked: 'Clicked the offer',
  bought: 'Bought',
};

/** The way of the person to the purchase, oldest first. */
function CreditTimeline({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <ol className={styles['timeline']} aria-label="The way to the purchase">
      {steps.map(({ step, at }) => (
        <li key={step} data-step={step}>
          <span className={styles['mark']} aria-hidden />
          <span>{stepTexts[step]}</span>
          <Text span size="xs" c="dimmed">
            <time dateTime={at}>{formatExact(at)}</time>
          </Text>
        </li>
      ))}
    </ol>
  );
}

interface PaymentEventsProps {
  event: RevenueEventDetails;
  onShow: (eventId: string) => void;
}

/** The purchase with its refunds and chargebacks, oldest first. */
function PaymentEvents({ event, onShow }: PaymentEventsProps) {
  const events = event.payment?.events ?? [];
  if (events.length < 2) return null;
  return (
    <Part title="Events of this payment">
      <TableCard
        name="Events of this payment"
        columns={['Type', <AmountHead key="amount">Amount</AmountHead>, 'Time']}
        minWidth={320}
      >
        {events.map(({ id, type, amountMinor, occurredAt }) => (
          <Table.Tr key={id}>
            <Table.Td>
              {id === event.id ? (
                `${typeTexts[type]} (this one)`
              ) : (
                <Anchor component="button" type="button" inherit onClick={() => onShow(id)}>
                  {typeTexts[type]}
                </Anchor>
              )}
            </Table.Td>
            <AmountCell minor={amountMinor} currency={event.currency} />
            <Table.Td>
              <RelativeTime at={occurredAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </TableCard>
    </Part>
  );
}
