import { Button, Stack, Switch, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, CutText, TableCard } from '../../../components/table-card.tsx';
import { failureOf } from '../../../failure.ts';
import { formatPlural } from '../../../format.ts';
import { sessionQuery } from '../../../session.ts';
import { useTRPC, type OwnSession } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { TwoFactorSection } from './two-factor-section.tsx';

/** The settings of the signed-in person, in all of their workspaces. */
export function AccountPage() {
  const { user } = useWorkspace();
  return (
    <Page title="Your account" description={`${user.name}, ${user.email}`}>
      <TwoFactorSection />
      <NotificationsSection />
      <SessionsSection />
    </Page>
  );
}

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
  {
    kind: 'weekly',
    label: 'Last week in numbers',
    description: 'On Monday at 08:00 in the time zone of the workspace, unless nothing happened.',
  },
] as const;

/** The mails that the person gets about this workspace. */
function NotificationsSection() {
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
      <Table.Td maw={180}>
        <CutText text={address === null ? 'Unknown' : shortAddress(address)} />
      </Table.Td>
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

/** `::1` for `0000:0000:0000:0000:0000:0000:0000:0001`. */
const shortAddress = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

// Names of browsers and systems in the User-Agent, the more specific ones first: Edge also says Chrome, and Chrome also says Safari.
const browsers = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** "Firefox on Windows". The start of a User-Agent that names no known browser. */
function browserText(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser';
  const nameIn = (names: typeof browsers | typeof systems) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
