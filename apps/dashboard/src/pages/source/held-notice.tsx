import { Group } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';
import { HoldButton } from './hold-button.tsx';
import type { Source } from './source.ts';
import { useWaiting } from './use-waiting.ts';
import { verbOf, waitingText } from './waiting-text.ts';

/** Says that deliveries wait because somebody holds them, with the button that sends them. */
export function HeldNotice({ source }: { source: Source }) {
  const count = useWaiting(source)?.count ?? 0;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm">
        <span style={{ flex: '1 1 260px' }}>
          <b>Deliveries are on hold.</b> {count > 0 ? `${waitingText(count)} ${verbOf(count)}. ` : null}
          No delivery is lost: they are sent when you resume them. Switching off cancels them.
        </span>
        <HoldButton source={source} held={false} />
      </Group>
    </Notice>
  );
}
