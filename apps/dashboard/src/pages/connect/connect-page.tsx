import '../../shell/mantine.css';
import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { failureOf } from '../../failure.ts';
import { preferredWorkspace, signOut } from '../../session.ts';
import { createServiceClient } from '../../trpc.ts';
import { ConnectCard, ConsentForm, InvalidRequest, type Decision, type Person } from './consent-form.tsx';

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

interface ConsentProps extends Person {
  request: string;
}

/** Reads the request, and sends the decision of the member in the chosen workspace. */
function Consent({ request, ...person }: ConsentProps) {
  const { workspace } = person;
  const client = useMemo(() => createServiceClient(workspace.id), [workspace.id]);
  const [isAllowed, setAllowed] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['authorization-request', request, workspace.id],
    queryFn: () => client.connectors.request.query({ request }),
    staleTime: Infinity,
    // Workspaces differ only in the earlier access of the client.
    placeholderData: keepPreviousData,
  });
  const answer = useMutation({
    mutationFn: (decision: Decision) => {
      setAllowed(decision.isAllowed);
      return decision.isAllowed
        ? client.connectors.approve.mutate({
            request,
            scopes: [...decision.scopes],
            endsEarlier: decision.endsEarlier,
          })
        : client.connectors.deny.mutate({ request });
    },
    // The URL contains the code for the client, so it must not stay in the mutation cache.
    gcTime: 0,
    onSuccess: ({ data: { redirectTo } }) => window.location.replace(redirectTo),
  });
  const failure = answer.error ?? (data ? null : error);
  const code = failure ? failureOf(failure).code : '';
  // Another try cannot succeed: the member has to start again in the client.
  if (failure && code.startsWith('authorization_request_')) {
    return (
      <InvalidRequest
        message={failureOf(failure).message}
        isAnswered={code === 'authorization_request_used'}
      />
    );
  }
  if (!data) {
    return (
      <ConnectCard title="Connect a client">
        {error ? (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={520} aria-busy />
        )}
      </ConnectCard>
    );
  }
  const { clientName } = data.data;
  const redirectTo = answer.data?.data.redirectTo;
  if (redirectTo !== undefined) {
    return (
      <ConnectCard title={isAllowed ? `${clientName} may connect` : `${clientName} was denied`}>
        <p>
          {isAllowed
            ? `Return to ${clientName}. If it did not open, use this button.`
            : `It has no access to ${workspace.name}. This button returns to ${clientName}.`}
        </p>
        <Button component="a" href={redirectTo}>
          Return to the client
        </Button>
      </ConnectCard>
    );
  }
  return (
    <ConsentForm
      asked={data.data}
      person={person}
      pending={answer.isPending ? answer.variables : undefined}
      error={answer.error}
      onDecide={answer.mutate}
    />
  );
}
