import '../../shell/mantine.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Notice } from '../../components/notice.tsx';
import { preferredWorkspace, signOut } from '../../session.ts';
import { ConnectCard } from './connect-card.tsx';
import { Consent } from './consent.tsx';
import { InvalidRequest } from './invalid-request.tsx';

const route = getRouteApi('/connect');

/** The consent page: a client asks a member for access to a workspace. */
export function ConnectPage() {
  const { request, workspace: chosen } = route.useSearch();
  const { user, session } = route.useRouteContext();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: '/sign-in', search: { redirect: location.href.slice(location.origin.length) } });
    },
  });
  const workspace = session.workspaces.find(({ id }) => id === chosen) ?? preferredWorkspace(session);
  if (request === undefined) return <InvalidRequest />;
  if (!workspace) {
    return (
      <ConnectCard title="No workspace">
        <Notice tone="info">
          {user.email} has no workspace. Ask an owner to invite you, then start again in the client.
        </Notice>
      </ConnectCard>
    );
  }
  return (
    <Consent
      request={request}
      user={user}
      workspace={workspace}
      workspaces={session.workspaces}
      isLeaving={leaving.isPending}
      onLeave={() => leaving.mutate()}
      onWorkspace={(id) =>
        void navigate({ search: (before) => ({ ...before, workspace: id }), replace: true })
      }
    />
  );
}
