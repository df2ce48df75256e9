import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { acceptInvitation, invitationQuery, sessionQuery, signOut } from '../../session.ts';
import { AuthCard } from '../sign-in/sign-in-page.tsx';

const route = getRouteApi('/invitations/$invitationId');

/** The page of an invitation link, after the sign-in. */
export function InvitationPage() {
  const { invitationId } = route.useParams();
  const { user } = route.useRouteContext();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: invitation, error } = useQuery(invitationQuery(invitationId));
  const accepting = useMutation({
    mutationFn: () => acceptInvitation(invitationId),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await router.navigate({
        to: '/w/$workspaceId/webinars',
        params: { workspaceId: invitation?.organizationId ?? '' },
        replace: true,
      });
    },
  });
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/sign-in', search: { redirect: `/invitations/${invitationId}` } });
    },
  });
  return (
    <AuthCard
      title={invitation ? `Join ${invitation.organizationName}` : 'Invitation'}
      lead={
        invitation
          ? `${invitation.inviterEmail} invites you to this workspace as ${invitation.role === 'owner' ? 'an owner' : 'a member'}.`
          : 'An invitation can be accepted once, within a week, by the invited person.'
      }
      foot={
        <span>
          You are signed in as {user.email}.{' '}
          <Button
            variant="transparent"
            size="compact-sm"
            c="var(--link)"
            px={0}
            loading={leaving.isPending}
            onClick={() => leaving.mutate()}
          >
            Use another account
          </Button>
        </span>
      }
    >
      <Stack gap="md">
        {(error ?? accepting.error) ? <FailureNotice error={error ?? accepting.error} /> : null}
        <Button
          fullWidth
          disabled={!invitation}
          loading={accepting.isPending}
          onClick={() => accepting.mutate()}
        >
          Accept
        </Button>
      </Stack>
    </AuthCard>
  );
}
