import { Notice } from '../../components/notice.tsx';
import styles from './ai-tools.module.css';
import { connectorSetupOf } from './connector-setups.ts';
import { clientLabels, takesKey, type ClientId } from './clients.ts';
import { connectorUrl } from './mcp-urls.ts';
import { SetupCode } from './setup-code.tsx';

/** The steps to connect a client that asks a member for access. */
export function ConnectorSetup({ client }: { client: ClientId }) {
  const name = clientLabels[client];
  const isRemote = !takesKey(client);
  return (
    <>
      {isRemote && window.location.protocol !== 'https:' ? (
        <div className={styles['unreachable']}>
          <Notice tone="warn">
            {name} connects from its own servers, so it cannot reach {window.location.origin}. This service
            needs a public https address first.
          </Notice>
        </div>
      ) : null}
      <ol className={styles['steps']}>
        <li>
          <SetupCode setup={connectorSetupOf[client](connectorUrl())} name={name} />
        </li>
        <li>
          <p>
            {client === 'other' ? 'The client' : name} opens a page of this service. Sign in, choose the
            workspace and the scopes, and allow the access. Connected clients below shows its state.
          </p>
        </li>
      </ol>
    </>
  );
}
