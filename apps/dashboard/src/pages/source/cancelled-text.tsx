import type { SourceRef } from './source.ts';
import { useWaiting } from './use-waiting.ts';
import { waitingText } from './waiting-text.ts';

/** The number of deliveries that end when a rule or subscription is switched off or deleted. */
export function CancelledText({ source }: { source: SourceRef }) {
  const count = useWaiting(source)?.count;
  if (count === undefined) return 'Deliveries that wait are cancelled.';
  if (count === 0) return 'No delivery waits.';
  return (
    <strong>
      {waitingText(count)} that {count === 1 ? 'waits is' : 'wait are'} cancelled.
    </strong>
  );
}
