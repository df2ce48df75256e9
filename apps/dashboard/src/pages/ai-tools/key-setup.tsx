import { Button, Modal, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyAction } from '../../components/copy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Status } from '../../components/status.tsx';
import { useTRPC, type CreatedApiKey } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { CallStatus, Endpoint } from '../activity/activity-row.tsx';
import { KeyForm } from '../keys/key-form.tsx';
import styles from './ai-tools.module.css';
import { keyPlaceholder, keySetupOf } from './client-setups.ts';
import { clientLabels, keyUrl, readonlyUrl, takesKey, type KeyClient } from './clients.ts';
import { useAiToolsSearch } from './search.ts';
import { SetupCode } from './setup-code.tsx';

/** The steps to connect a client with a key. */
export function KeySetup({ client }: { client: KeyClient }) {
  const { search, show } = useAiToolsSearch();
  const name = client === 'other' ? 'this client' : clientLabels[client];
  return (
    <>
      <ol className={styles['steps']}>
        <li>
          <p>
            Create a key that only works over MCP. With one key for each client you see its calls apart, and
            can revoke it alone.
          </p>
          <Button leftSection={<IconPlus size={15} />} onClick={() => show({ create: true })}>
            Create a key for {name}
          </Button>
        </li>
        <li>
          <p>
            Use the configuration that is shown with the new key. If you already have a key with the surface
            AI Tools (MCP), put it in the place of <code>{keyPlaceholder}</code>. The address is{' '}
            <code>{keyUrl()}</code> <CopyAction text={keyUrl()} label="Copy address" />
          </p>
          <p>
            At <code>{readonlyUrl()}</code> <CopyAction text={readonlyUrl()} label="Copy read-only address" />{' '}
            the client gets only tools that read, also with a key that may write.
          </p>
          <SetupCode
            setup={keySetupOf[client]({ url: keyUrl(), key: keyPlaceholder })}
            name={clientLabels[client]}
            isIncomplete
          />
        </li>
      </ol>
      {search.key === undefined ? null : <FirstCall keyId={search.key} isLinked />}
    </>
  );
}

/** Creates a key for one client, then shows it once, inside the configuration of the client. */
export function CreateAiKeyDialog() {
  const { search, client, show } = useAiToolsSearch();
  // The full key is only in this state: not in the URL, not in a cache.
  const [created, setCreated] = useState<CreatedApiKey>();
  const close = () => show({ create: undefined });
  const keep = (answer: CreatedApiKey) => {
    setCreated(answer);
    // After a reload the page still waits for the first call.
    show({ create: undefined, key: answer.id });
  };
  if (!takesKey(client)) return null;
  const name = clientLabels[client];
  const isLocked = created !== undefined;
  return (
    <Modal
      opened={search.create === true || isLocked}
      onClose={close}
      size={600}
      title={isLocked ? `Connect ${name}` : `Create a key for ${name}`}
      closeOnClickOutside={!isLocked}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
    >
      {created ? (
        <ShownOnce
          noun="key"
          advice="Copy the configuration, or the key alone, before you close this."
          name={created.label}
          text={created.key}
          label="The full key"
          testId="new-key"
          onDone={() => setCreated(undefined)}
        >
          <Stack gap="md">
            <div className={styles['setup']}>
              <SetupCode setup={keySetupOf[client]({ url: keyUrl(), key: created.key })} name={name} />
            </div>
            <FirstCall keyId={created.id} />
          </Stack>
        </ShownOnce>
      ) : null}
      {search.create === true && !created ? (
        <KeyForm
          client={{ id: client, label: client === 'other' ? 'AI client' : name }}
          onCreated={keep}
          onCancel={close}
        />
      ) : null}
    </Modal>
  );
}

interface FirstCallProps {
  keyId: string;
  /** With a link to Activity. A dialog that must not be left has none. */
  isLinked?: boolean;
}

/** Waits for the first call of a key over MCP. The stream announces the call. */
function FirstCall({ keyId, isLinked = false }: FirstCallProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.activity.list.queryOptions({ surface: 'mcp', keyId, range: 'last_7_days', limit: 1 }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={48} mt={16} />;
  const call = data.data[0];
  return (
    <div
      className={styles['light']}
      data-connected={call !== undefined || undefined}
      data-testid="first-call"
    >
      <span aria-live="polite">
        <Status tone={call ? 'good' : 'warn'} isHollow={!call} isMoving={!call}>
          {call ? 'Connected' : 'Waiting for the first call'}
        </Status>
      </span>
      {call ? (
        <p>
          Last call with “{call.keyLabel}”: <Endpoint call={call} /> <CallStatus call={call} />{' '}
          <RelativeTime at={call.at} />
        </p>
      ) : (
        <p>Start the client, or ask it something. Calls with a wrong key do not appear.</p>
      )}
      {call && isLinked ? (
        <WorkspaceLink to="/w/$workspaceId/settings/activity" search={{ surface: 'mcp', key: keyId }}>
          Open in Activity
        </WorkspaceLink>
      ) : null}
    </div>
  );
}
