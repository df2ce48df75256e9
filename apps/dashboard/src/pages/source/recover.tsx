import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { RecoverForm } from './recover-form.tsx';
import { RecoveryList } from './recovery-list.tsx';
import { RecoveryProgress } from './recovery-progress.tsx';
import type { Source } from './source.ts';
import { useRecoveries } from './use-recoveries.ts';

interface RecoverProps {
  source: Source;
  onClose: () => void;
}

/** The running or just finished recovery. Without one, the form for a new one. */
export function Recover({ source, onClose }: RecoverProps) {
  const { items, error, running } = useRecoveries(source);
  const [madeId, setMadeId] = useState<string>();
  const shown = running ?? items?.find(({ id }) => id === madeId);
  if (!items && !error) return <Skeleton height={260} aria-busy />;
  return (
    <Stack gap="lg">
      {shown ? (
        <Stack gap="md">
          <RecoveryProgress source={source} recovery={shown} />
          <Group justify="flex-end" gap="xs">
            {shown.state === 'running' ? null : (
              <Button variant="default" onClick={() => setMadeId(undefined)}>
                Recover more
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <RecoverForm source={source} onMade={({ id }) => setMadeId(id)} onClose={onClose} />
      )}
      <RecoveryList source={source} exceptId={shown?.id} />
    </Stack>
  );
}
