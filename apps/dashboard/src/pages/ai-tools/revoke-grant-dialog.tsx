import { Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatPlural } from '../../format.ts';
import { useTRPC, type Grant } from '../../trpc.ts';

interface RevokeGrantDialogProps {
  /** Undefined while nothing is being revoked. */
  grant: Grant | undefined;
  onClose: () => void;
}

export const RevokeGrantDialog = ({ grant, onClose }: RevokeGrantDialogProps) => (
  <Modal opened={grant !== undefined} onClose={onClose} title={`Revoke the access of ${grant?.clientName}`}>
    {grant ? <RevokeForm key={grant.id} grant={grant} onClose={onClose} /> : null}
  </Modal>
);

function RevokeForm({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation(
    trpc.grants.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.grants.list.queryFilter());
        notifications.show({ message: `The access of ${grant.clientName} is revoked.` });
        onClose();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ id: grant.id });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          This connection is refused from its next request on. To connect again, {grant.clientName} must ask
          for access again.
        </Text>
        <Facts
          facts={[
            ['Allowed by', grant.member.name],
            ['Last used', <RelativeTime key="used" at={grant.lastUsedAt} />],
            ['Used for', formatPlural(grant.requests, 'request')],
          ]}
        />
        {error ? <FailureNotice error={error} /> : null}
        <FormActions submit="Revoke access" color="red" isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
