import { Button, Stack, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Page } from '../../../components/page.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, CutText, TableCard } from '../../../components/table-card.tsx';
import { failureOf } from '../../../failure.ts';
import { formatPlural } from '../../../format.ts';
import { useTRPC, type OwnSession } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { browserText } from './browser-text.ts';
import { NotificationsSection } from './notifications-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

/** The settings of the signed-in person, in all of their workspaces. */
export function AccountPage() {
  const { user } = useWorkspace();
  return (
    <Page title="Your account" description={`${user.name}, ${user.email}`}>
      <Stack gap="xl">
        <TwoFactorSection />
        <NotificationsSection />
        <SessionsSection />
      </Stack>
    </Page>
  );
}

const columns = ['Browser', 'Network address', 'Signed in', <ActionsHead key="actions" />];

function SessionsSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.accounts.ownSessions.list.queryOptions());
  const others = data?.data.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const { mutate, isPending } = useMutation(
    trpc.accounts.ownSessions.endOthers.mutationOptions({
      onSuccess: ({ data: { ended } }) =>
        notifications.show({ message: `${formatPlural(ended, 'other session')} ended.` }),
      onError: (refusal) => notifications.show({ color: 'red', message: failureOf(refusal).message }),
      onSettled: () => queryClient.invalidateQueries(trpc.accounts.ownSessions.list.queryFilter()),
    }),
  );
  return (
    <Section
      title="Sign-in sessions"
      text="The browsers in which you are signed in. A change of your password ends all but this one."
      action={
        <Button variant="default" loading={isPending} disabled={others === 0} onClick={() => mutate()}>
          Sign out everywhere else
        </Button>
      }
    >
      {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {error && !data ? null : (
        <TableCard name="Sign-in sessions" columns={columns} minWidth={520}>
          {data?.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </TableCard>
      )}
    </Section>
  );
}

function SessionRow({ session: { id, userAgent, address, createdAt, isCurrent } }: { session: OwnSession }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation(
    trpc.accounts.ownSessions.end.mutationOptions({
      onError: (refusal) => notifications.show({ color: 'red', message: failureOf(refusal).message }),
      onSettled: () => queryClient.invalidateQueries(trpc.accounts.ownSessions.list.queryFilter()),
    }),
  );
  const browser = browserText(userAgent);
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <CutText text={browser} />
      </Table.Td>
      <Table.Td>{address ?? 'Unknown'}</Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td ta="right">
        {isCurrent ? (
          'This session'
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={isPending}
            aria-label={`Sign out ${browser}`}
            onClick={() => mutate({ sessionId: id })}
          >
            Sign out
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
