import { Anchor } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';
import { progressText } from './recovery-text.ts';
import type { SourceRef } from './source.ts';
import { useRecoveries } from './use-recoveries.ts';

/** Shows on the page that a recovery is running. */
export function RecoveryNotice({ source, onOpen }: { source: SourceRef; onOpen: () => void }) {
  const { running } = useRecoveries(source);
  if (!running) return null;
  return (
    <Notice tone="info">
      A recovery is under way: {progressText(running)}.{' '}
      <Anchor component="button" type="button" inherit onClick={onOpen}>
        Show it
      </Anchor>
    </Notice>
  );
}
