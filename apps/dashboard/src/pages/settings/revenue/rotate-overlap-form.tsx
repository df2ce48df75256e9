import '../../../components/choices.css';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPCClient } from '../../../trpc.ts';
import type { RotateOverlapDialogProps } from './rotate-overlap-dialog.tsx';
import { useSourcesChanged } from './use-sources-changed.ts';

const overlaps = [
  { hours: 24, label: '24 hours', text: 'Both secrets are valid for a day.' },
  { hours: 1, label: '1 hour', text: 'Both secrets are valid for an hour.' },
  {
    hours: 0,
    label: 'None',
    text: 'The old secret ends at once. Choose this when it became known to others.',
  },
] as const;

export function RotateOverlapForm({
  provider,
  onRotated,
  onClose,
}: Omit<RotateOverlapDialogProps, 'isOpen' | 'title'>) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const [hours, setHours] = useState<0 | 1 | 24>(24);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => revenueSources.rotateSecret.mutate({ provider, overlapHours: hours }),
    // The answer contains the secret.
    gcTime: 0,
    onSuccess: async (answer) => {
      onRotated(answer.data.secret);
      await changed();
    },
  });
  if (data) {
    return (
      <Stack gap="md">
        <Text size="sm">
          Sign with this secret from now on.{' '}
          {hours === 0
            ? 'The old secret is no longer valid.'
            : 'The old secret is valid until the overlap ends.'}
        </Text>
        <CodeBlock text={data.data.secret} label="New signing secret" testId="new-secret" />
        <Group justify="flex-end" gap="xs">
          <CopyButton text={data.data.secret} label="Copy secret" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        <Radio.Group
          label="Overlap"
          description="The time in which events with the old secret are still accepted."
          value={String(hours)}
          onChange={(value) => setHours(Number(value) as typeof hours)}
        >
          <Stack gap="xs" mt="xs">
            {overlaps.map(({ hours: value, label, text }) => (
              <Radio key={value} value={String(value)} label={label} description={text} />
            ))}
          </Stack>
        </Radio.Group>
        {error ? <FailureNotice error={error} /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus autoFocus>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={isPending}>
            Rotate secret
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
