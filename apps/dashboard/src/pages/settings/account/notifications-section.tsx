import { Stack, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { failureOf } from '../../../failure.ts';
import { sessionQuery } from '../../../session.ts';
import { useTRPC } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';

const kinds = [
  {
    kind: 'stopped',
    label: 'Something has stopped',
    description: 'At once: webhooks are paused or sent again, or a connection fails.',
  },
  {
    kind: 'failed',
    label: 'Webhooks failed for good',
    description: 'Once a day: webhooks that will not be tried again.',
  },
] as const;

/** The mails that the person gets about this workspace. */
export function NotificationsSection() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data, error, refetch } = useQuery(trpc.accounts.notifications.get.queryOptions());
  const { mutate, isPending } = useMutation(
    trpc.accounts.notifications.change.mutationOptions({
      onError: (refusal) => notifications.show({ color: 'red', message: failureOf(refusal).message }),
      onSettled: () => queryClient.invalidateQueries(trpc.accounts.notifications.get.queryFilter()),
    }),
  );
  return (
    <Section title="Notifications" text={`The mails that you get about ${workspace.name}.`}>
      <Stack gap="sm">
        {session?.mail === null ? (
          <Notice tone="info">This installation sends no mail, so no notification leaves it.</Notice>
        ) : null}
        {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
        {data
          ? kinds.map(({ kind, label, description }) => (
              <Switch
                key={kind}
                label={label}
                description={description}
                checked={data.data[kind]}
                disabled={isPending}
                onChange={({ currentTarget }) => mutate({ kind, isOn: currentTarget.checked })}
              />
            ))
          : null}
      </Stack>
    </Section>
  );
}
