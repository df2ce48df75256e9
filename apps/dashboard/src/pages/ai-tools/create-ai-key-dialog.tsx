import { Modal, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ShownOnce } from '../../components/shown-once.tsx';
import type { CreatedApiKey } from '../../trpc.ts';
import styles from './ai-tools.module.css';
import { keySetupOf } from './client-setup.ts';
import { clientLabels, takesKey } from './clients.ts';
import { FirstCall } from './first-call.tsx';
import { keyUrl } from './mcp-urls.ts';
import { SetupCode } from './setup-code.tsx';
import { useAiToolsSearch } from './use-ai-tools-search.ts';

const AiKeyForm = lazy(async () => ({ default: (await import('./ai-key-form.tsx')).AiKeyForm }));

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
      <Suspense fallback={<Skeleton height={320} />}>
        {search.create === true && !created ? (
          <AiKeyForm client={client} onCreated={keep} onCancel={close} />
        ) : null}
      </Suspense>
    </Modal>
  );
}
