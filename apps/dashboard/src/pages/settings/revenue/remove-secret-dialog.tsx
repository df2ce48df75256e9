import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPCClient } from '../../../trpc.ts';
import { useSourcesChanged } from './use-sources-changed.ts';

interface RemoveSecretDialogProps {
  provider: string;
  title: string;
  isOpen: boolean;
  onRemoved: () => void;
  onClose: () => void;
  /** After the dialog has gone. */
  onExited: () => void;
}

export const RemoveSecretDialog = ({ isOpen, onExited, ...props }: RemoveSecretDialogProps) => (
  <Modal
    opened={isOpen}
    onClose={props.onClose}
    onExitTransitionEnd={onExited}
    title={`Remove the secret of ${props.title}`}
  >
    <RemoveSecret {...props} />
  </Modal>
);

function RemoveSecret({
  provider,
  onRemoved,
  onClose,
}: Omit<RemoveSecretDialogProps, 'isOpen' | 'onExited'>) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revenueSources.removeSecret.mutate({ provider }),
    onSuccess: async () => {
      onRemoved();
      onClose();
      await changed();
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm">
        Every event of this source is refused from now on. Events that were received stay. To receive again,
        add a secret.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          Remove secret
        </Button>
      </Group>
    </Stack>
  );
}
