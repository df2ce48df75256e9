import { Group } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';
import { HaltButton } from './halt-button.tsx';
import type { Source } from './source.ts';
import { useWaiting } from './use-waiting.ts';
import { verbOf, waitingText } from './waiting-text.ts';

/** Says that deliveries wait because somebody halts them, with the button that sends them. */
export function HaltedNotice({ source }: { source: Source }) {
  const count = useWaiting(source)?.count ?? 0;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm">
        <span style={{ flex: '1 1 260px' }}>
          <b>Deliveries are halted.</b> {count > 0 ? `${waitingText(count)} ${verbOf(count)}. ` : null}
          No delivery is lost: they are sent when you resume them. Switching off cancels them.
        </span>
        <HaltButton source={source} halted={false} />
      </Group>
    </Notice>
  );
}
