import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPC } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import type { NewSecret } from './new-secret-panel.tsx';

interface RotateSecretProps {
  source: Source;
  onRotated: (created: NewSecret) => void;
  onClose: () => void;
}

export function RotateSecret({ source, onRotated, onClose }: RotateSecretProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: webhookId, webinarId, name } = source;
  const { mutate, isPending, error } = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      // The answer contains the secret, so it must not stay in the mutation cache.
      gcTime: 0,
      onSuccess: ({ data }) => {
        onRotated({ name, secret: data.secret });
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text size="sm">
        The present secret ends at once. There is no grace period: from then on every delivery is signed with
        the new secret, tries of waiting deliveries included. Your endpoint refuses them until it knows the
        new secret, and they are tried again later.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={{
            operation: 'POST /webinars/{webinarId}/webhooks/{webhookId}/rotate-secret',
            params: { webinarId, webhookId },
          }}
        />
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          Cancel
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ webinarId, webhookId })}>
          Rotate secret
        </Button>
      </Group>
    </Stack>
  );
}
