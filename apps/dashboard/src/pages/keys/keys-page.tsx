import { Button, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

const route = getRouteApi('/w/$workspaceId/settings/keys');

export function KeysPage() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(trpc.keys.list.queryOptions());
  const keys = data?.data;
  const open = (next: { create?: true; revoke?: string }) => void navigate({ search: next });
  const createButton = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => open({ create: true })}>
      Create API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description={`With a key, other systems and AI tools can reach ${workspace.name} and no other workspace. A key cannot be edited: create a new one, then revoke the old one.`}
      actions={keys?.length === 0 ? null : createButton}
    >
      {error && !keys ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {keys?.length === 0 ? (
        <EmptyState
          icon={IconKey}
          title="No API keys yet"
          steps={[
            'Create a key and choose its scopes.',
            'Copy it: the full key is shown only once.',
            <>
              Call the API with <code>Authorization: Bearer svc_live_…</code>
            </>,
          ]}
          action={createButton}
        >
          A key registers attendees from your own forms, feeds your CRM, or connects an AI assistant.
        </EmptyState>
      ) : null}
      {keys?.length === 0 || (error && !keys) ? null : (
        <KeysTable keys={keys} isOwner={workspace.role === 'owner'} onRevoke={(revoke) => open({ revoke })} />
      )}
      <Text size="xs" c="dimmed" mt="xs">
        AI clients that connected with a sign-in instead of a key are listed under{' '}
        <Link to="/w/$workspaceId/ai-tools" params={{ workspaceId: workspace.id }}>
          AI tools
        </Link>
        .
      </Text>
      <CreateKeyDialog isOpen={search.create === true} onClose={() => open({})} />
      <RevokeKeyDialog apiKey={keys?.find(({ id }) => id === search.revoke)} onClose={() => open({})} />
    </Page>
  );
}
