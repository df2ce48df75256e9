import { Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import type { Health } from '../../trpc.ts';
import { healthText } from '../delivery/delivery-status.tsx';

const styles: Record<Health['status'], { tone: Tone; word: string }> = {
  healthy: { tone: 'warn', word: 'Last try failed' },
  failing: { tone: 'warn', word: 'Failing' },
  paused: { tone: 'bad', word: 'Paused' },
};

interface HealthBadgeProps {
  health: Health;
  /** Deliveries wait until somebody resumes it. */
  isHalted: boolean;
  /** Deliveries that wait. Undefined until they are counted. */
  waiting?: number | undefined;
}

/** The health of the endpoint, or that it is halted. Unobtrusive while it answers and nothing waits. */
export function HealthBadge({ health, isHalted, waiting = 0 }: HealthBadgeProps) {
  if (isHalted) return <Status tone="quiet" isHollow word="Halted" />;
  if (health.status === 'healthy' && health.failuresInARow === 0) {
    if (health.untriedSinceChange) return <Status tone="warn" isHollow word="Not tried since the change" />;
    if (waiting > 0) return <Status tone="warn" isHollow word="Deliveries wait" />;
    return (
      <Text span inherit c="dimmed">
        Healthy
      </Text>
    );
  }
  const { tone, word } = styles[health.status];
  const text = healthText(health);
  return (
    <Tooltip label={text}>
      <span>
        <Status tone={tone}>
          {word}
          <VisuallyHidden>: {text}</VisuallyHidden>
        </Status>
      </span>
    </Tooltip>
  );
}

/** ", since 4 min ago", after the text of a failure. */
export const Since = ({ at }: { at: string | null }) =>
  at === null ? null : (
    <>
      , since <RelativeTime at={at} />
    </>
  );
