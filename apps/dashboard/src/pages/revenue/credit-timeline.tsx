import { Text } from '@mantine/core';
import { formatExact } from '../../format.ts';
import type { RevenueEventDetails } from '../../trpc.ts';
import styles from './revenue-details.module.css';

type Step = RevenueEventDetails['timeline'][number];

const stepTexts: Record<Step['step'], string> = {
  registered: 'Registered',
  joined: 'Joined the session',
  clicked: 'Clicked the offer',
  bought: 'Bought',
};

/** The way of the person to the purchase, oldest first. */
export function CreditTimeline({ steps }: { steps: readonly Step[] }) {
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
