import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatPlural } from '../../format.ts';
import { useTRPC, type ApiKey } from '../../trpc.ts';

interface RevokeKeyDialogProps {
  /** Undefined while nothing is being revoked. */
  apiKey: ApiKey | undefined;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={`Revoke “${apiKey?.label}”`}>
      {apiKey ? <RevokeForm key={apiKey.id} apiKey={apiKey} onClose={onClose} /> : null}
    </Modal>
  );
}

function RevokeForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === apiKey.label.trim();
  const { mutate, isPending, error } = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
        notifications.show({ message: `“${apiKey.label}” is revoked. Requests with it are refused.` });
        onClose();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) mutate({ keyId: apiKey.id });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          Systems that use this key are refused from their next request on. This cannot be undone.
        </Text>
        <Facts
          facts={[
            ['Key', <code key="key">{apiKey.maskedKey}</code>],
            ['Last used', <RelativeTime key="used" at={apiKey.lastUsedAt} />],
            ['Used for', formatPlural(apiKey.requests, 'request')],
          ]}
        />
        <TextInput
          label="Type the label to confirm"
          placeholder={apiKey.label}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {error ? <FailureNotice error={error} /> : null}
        <FormActions
          submit="Revoke key"
          color="red"
          isDisabled={!isConfirmed}
          isPending={isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
