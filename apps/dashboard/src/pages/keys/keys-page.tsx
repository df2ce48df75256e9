import { Button, Modal, Table, Text, TextInput } from '@mantine/core';
import { IconKey, IconPlus } from '@service/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ChoiceFilter, type FilterProps } from '../../components/choice-filter.tsx';
import { Question } from '../../components/dialog-form.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { LateModal } from '../../components/late-modal.tsx';
import { ListResult } from '../../components/load-more.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime, useClock } from '../../components/relative-time.tsx';
import { Status, SurfaceTags } from '../../components/status.tsx';
import { ActionsHead, CutText, TableCard } from '../../components/table-card.tsx';
import { focusContentIfLost } from '../../focus.ts';
import { formatCount, formatPlural } from '../../format.ts';
import { useTRPC, useTRPCClient, type ApiKey, type CreatedApiKey } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
import { creatorText } from './creator-text.ts';
import { RevokeButton } from './revoke-button.tsx';

const route = getRouteApi('/w/$workspaceId/settings/keys');

export function KeysPage() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(trpc.keys.list.queryOptions());
  const { data: members } = useQuery(trpc.accounts.members.list.queryOptions());
  const all = data?.data;
  const keys = all?.filter(
    ({ createdBy }) => search.maker === undefined || makerId(createdBy) === search.maker,
  );
  const revoked = all?.find(({ id }) => id === search.revoke);
  const open = (next: { create?: true; revoke?: string }) =>
    void navigate({ search: { ...next, maker: search.maker } });
  const createButton = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => open({ create: true })}>
      Create API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description={`With a key, other systems and AI tools can reach ${workspace.name} and no other workspace. A key cannot be edited: create a new one, then revoke the old one.`}
      actions={
        all?.length === 0 ? null : (
          <>
            <ExportLink list="keys" of="API keys" />
            {createButton}
          </>
        )
      }
    >
      <ListResult
        items={all}
        error={error}
        refetch={refetch}
        empty={
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
        }
      >
        <MakerFilter
          keys={all}
          value={search.maker}
          onChange={(maker) => void navigate({ search: { maker } })}
        />
        <KeysTable
          keys={keys}
          memberIds={members && new Set(members.data.map(({ userId }) => userId))}
          isOwner={workspace.role === 'owner'}
          onRevoke={(revoke) => open({ revoke })}
        />
      </ListResult>
      <Text size="xs" c="dimmed" mt="xs">
        AI clients that connected with a sign-in instead of a key are listed under{' '}
        <WorkspaceLink to="/w/$workspaceId/ai-tools">AI tools</WorkspaceLink>.
      </Text>
      <CreateKeyDialog isOpen={search.create === true} onClose={() => open({})} />
      <Modal opened={revoked !== undefined} onClose={() => open({})} title={`Revoke “${revoked?.label}”`}>
        {revoked ? <RevokeKey key={revoked.id} apiKey={revoked} onClose={() => open({})} /> : null}
      </Modal>
    </Page>
  );
}

/** All keys, or those of one maker. Hidden when one maker has made all of them. */
function MakerFilter({ keys, ...filter }: FilterProps & { keys: readonly ApiKey[] | undefined }) {
  const labels = new Map(keys?.map(({ createdBy }) => [makerId(createdBy), creatorText(createdBy)]));
  if (labels.size < 2 && filter.value === undefined) return null;
  return (
    <FilterBar>
      <ChoiceFilter
        label="Created by"
        choices={[...labels].map(([value, label]) => ({ value, label }))}
        {...filter}
      />
    </FilterBar>
  );
}

const makerId = (creator: ApiKey['createdBy']): string =>
  creator.kind === 'member' ? creator.id : creator.kind;

// The list of keys does not wait for the form.
const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }));

/** Two steps: choose access, then store the key. The second step closes only after the person confirms that the key is stored. */
function CreateKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // The full key is only in this state: not in the URL, not in a cache.
  const [created, setCreated] = useState<CreatedApiKey>();
  const keep = (answer: CreatedApiKey) => {
    setCreated(answer);
    // Removes `create` from the URL, or a reload would open the dialog again.
    onClose();
  };
  const isLocked = created !== undefined;
  return (
    <LateModal
      opened={isOpen || isLocked}
      onClose={onClose}
      size={560}
      height={320}
      title={isLocked ? 'Store your new key' : 'Create API key'}
      closeOnClickOutside={!isLocked}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
      // The button of the empty list is gone when there is a key.
      onExitTransitionEnd={focusContentIfLost}
    >
      {isOpen || isLocked ? (
        <CreateKey
          created={created}
          onCreated={keep}
          onStored={() => setCreated(undefined)}
          onCancel={onClose}
        />
      ) : null}
    </LateModal>
  );
}

interface KeysTableProps {
  keys: readonly ApiKey[] | undefined;
  /** Undefined while the members are loading. */
  memberIds: ReadonlySet<string> | undefined;
  isOwner: boolean;
  onRevoke: (keyId: string) => void;
}

const columns = [
  'Label',
  'Key',
  'Access',
  'Surfaces',
  'Last used',
  'Requests',
  'Ends',
  'Created',
  <ActionsHead key="actions" />,
];

function KeysTable({ keys, memberIds, isOwner, onRevoke }: KeysTableProps) {
  return (
    <>
      <TableCard name="API keys" columns={columns} minWidth={940}>
        {keys?.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td fw={550} maw={220}>
              <CutText text={key.label} />
            </Table.Td>
            <Table.Td>
              <code>{key.maskedKey}</code>
            </Table.Td>
            <Table.Td maw={240} title={key.scopes.join(', ')}>
              {key.access}
            </Table.Td>
            <Table.Td>
              <SurfaceTags surfaces={key.surfaces} />
            </Table.Td>
            <Table.Td>
              <RelativeTime at={key.lastUsedAt} />
            </Table.Td>
            <Table.Td>{formatCount(key.requests)}</Table.Td>
            <Table.Td>
              <KeyEnd at={key.expiresAt} />
            </Table.Td>
            <Table.Td maw={160}>
              <RelativeTime at={key.createdAt} />
              <CutText text={`by ${creatorText(key.createdBy)}`} isSmall />
              {hasLeft(key.createdBy, memberIds) ? <Status tone="warn" word="Left the workspace" /> : null}
            </Table.Td>
            <Table.Td ta="end">
              <RevokeButton label={key.label} isAllowed={isOwner} onClick={() => onRevoke(key.id)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </TableCard>
      {isOwner ? null : (
        <Text size="xs" c="dimmed" mt="xs">
          Only owners of the workspace can revoke keys. Members can create them.
        </Text>
      )}
    </>
  );
}

/** The end of a key, and that it has passed. */
function KeyEnd({ at }: { at: string | null }) {
  const isOver = useClock((nowMs) => at !== null && Date.parse(at) <= nowMs);
  return isOver ? <Status tone="bad" word="Has ended" /> : <RelativeTime at={at} never="No end" />;
}

const hasLeft = (creator: ApiKey['createdBy'], memberIds: ReadonlySet<string> | undefined): boolean =>
  creator.kind === 'member' && memberIds !== undefined && !memberIds.has(creator.id);

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const { keys } = useTRPCClient();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  return (
    <Question
      text="Systems that use this key are refused from their next request on. This cannot be undone."
      confirm="Revoke key"
      isCancelFirst={false}
      isDisabled={typed.trim() !== apiKey.label.trim()}
      act={() => keys.revoke.mutate({ keyId: apiKey.id })}
      message={`“${apiKey.label}” is revoked. Requests with it are refused.`}
      changed={() => queryClient.invalidateQueries(trpc.keys.list.queryFilter())}
      onClose={onClose}
    >
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
    </Question>
  );
}
