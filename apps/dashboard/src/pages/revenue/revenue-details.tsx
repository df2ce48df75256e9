import { Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { Part } from '../../components/part.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { formatMoney } from '../../money.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import { CreditTimeline } from './credit-timeline.tsx';
import { eventFacts } from './event-facts.tsx';
import { PaymentState } from './event-row.tsx';
import { toLocalTimes } from './local-times.ts';
import { PaymentEvents } from './payment-events.tsx';
import { typeTexts } from './revenue-texts.ts';
import styles from './revenue-details.module.css';

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
          <PaymentState state={event.state} />
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
