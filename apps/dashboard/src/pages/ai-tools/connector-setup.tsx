import { Notice } from '../../components/notice.tsx';
import { clientLabels, type ClientId } from './clients.ts';

/** For clients that take no key. */
export const ConnectorSetup = ({ client }: { client: ClientId }) => (
  <Notice tone="info">
    {clientLabels[client]} takes no key: it connects after a sign-in in the browser, which this service does not
    offer yet. Claude Code, Cursor and VS Code connect with a key.
  </Notice>
);
