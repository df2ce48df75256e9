import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { CopyAction } from '../../components/copy.tsx';
import styles from './ai-tools.module.css';
import { keyPlaceholder, keySetupOf } from './key-setups.ts';
import { clientLabels, type KeyClient } from './clients.ts';
import { FirstCall } from './first-call.tsx';
import { keyUrl, readonlyUrl } from './mcp-urls.ts';
import { SetupCode } from './setup-code.tsx';
import { useAiToolsSearch } from './use-ai-tools-search.ts';

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
