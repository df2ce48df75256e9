import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { acceptInvitation, invitationQuery, sessionQuery, signOut } from '../../session.ts';
import { addressOf, signUpRefusal } from '../sign-in/search.ts';
import { AuthCard } from '../sign-in/auth-card.tsx';

const route = getRouteApi('/invitations/$invitationId');

/** The page of an invitation link, for people with and without an account. */
export function InvitationPage() {
  const { invitationId } = route.useParams();
  const { session } = route.useRouteContext();
  const { user } = session;
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: invitation, error } = useQuery(invitationQuery(invitationId));
  const accepting = useMutation({
    mutationFn: () => acceptInvitation(invitationId),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await router.navigate({
        to: '/w/$workspaceId/webinars',
        params: { workspaceId: invitation?.workspaceId ?? '' },
        replace: true,
      });
    },
  });
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear();
      await router.invalidate();
    },
  });
  const isInvited = user?.email === invitation?.email;
  return (
    <AuthCard
      title={invitation ? `Join ${invitation.workspaceName}` : 'Invitation'}
      lead={
        invitation
          ? `${invitation.inviterName} (${invitation.inviterEmail}) invites ${invitation.email} to this workspace as ${invitation.role === 'owner' ? 'an owner' : 'a member'}.`
          : 'An invitation can be accepted once, within a week, by the invited person.'
      }
      foot={
        user ? (
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
        ) : null
      }
    >
      <Stack gap="md">
        {(error ?? accepting.error) ? <FailureNotice error={error ?? accepting.error} /> : null}
        {invitation && user && !isInvited ? (
          <Notice tone="warn">
            This invitation is for {invitation.email}. Sign in with that address to accept it.
          </Notice>
        ) : null}
        {invitation && !user ? (
          <EnterButtons
            search={{ redirect: `/invitations/${invitationId}` }}
            maySignUp={signUpRefusal(session.signUp, `/invitations/${invitationId}`) === undefined}
          />
        ) : null}
        {user && (!invitation || isInvited) ? (
          <Button
            fullWidth
            disabled={!invitation}
            loading={accepting.isPending}
            onClick={() => accepting.mutate()}
          >
            Accept
          </Button>
        ) : null}
      </Stack>
    </AuthCard>
  );
}

interface EnterButtonsProps {
  search: { redirect: string };
  maySignUp: boolean;
}

/** Both ways to go on: the page does not know whether the invited address has an account. */
const EnterButtons = ({ search, maySignUp }: EnterButtonsProps) => (
  <>
    {maySignUp ? (
      <Button component="a" href={addressOf('/sign-up', search)} fullWidth>
        Create an account
      </Button>
    ) : null}
    <Button component="a" href={addressOf('/sign-in', search)} variant="default" fullWidth>
      Sign in
    </Button>
  </>
);
