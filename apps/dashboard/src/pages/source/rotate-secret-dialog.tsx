import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ApiCall } from '../../api-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormApiCall } from '../../components/form-actions.tsx';
import { Notice } from '../../components/notice.tsx';

interface RotateSecretDialogProps {
  /** The name of the rule or subscription. */
  name: string;
  isOpen: boolean;
  rotate: () => Promise<string>;
  apiCall: ApiCall;
  onRotated: (secret: string) => void;
  onClose: () => void;
}

export function RotateSecretDialog({ isOpen, ...props }: RotateSecretDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title={`Rotate the secret of “${props.name}”`}>
      <RotateSecret {...props} />
    </Modal>
  );
}

function RotateSecret({ rotate, apiCall, onRotated, onClose }: Omit<RotateSecretDialogProps, 'isOpen'>) {
  // gcTime 0: the answer contains the secret.
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: rotate,
    gcTime: 0,
    onSuccess: onRotated,
  });
  if (data !== undefined) {
    return (
      <Stack gap="md">
        <Text size="sm">This secret signs everything from now on. Put it into your endpoint.</Text>
        <CodeBlock text={data} label="New signing secret" testId="new-secret" />
        <Group justify="flex-end" gap="xs">
          <CopyButton text={data} label="Copy secret" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <Notice tone="warn">
        The old secret ends at once. There is no time in which both are valid: every delivery from now on,
        also a new try of an earlier one, is signed with the new secret only. Until your endpoint has it, its
        check of signatures fails.
      </Notice>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall call={apiCall} />
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          Rotate secret
        </Button>
      </Group>
    </Stack>
  );
}
