import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, type Connection, type ConnectionChange } from '../../../trpc.ts';

/** The text about a state, above its reason, which is mostly in the provider's own words. Undefined: there is nothing to say. */
export function stateText(
  { kind, state, isDefault, reason }: Connection,
  isOwner: boolean,
): string | undefined {
  const isMail = kind === 'mail';
  switch (state) {
    case 'failing':
      return isMail
        ? 'E-mails wait and are sent when the provider takes them again. It says:'
        : 'Changes wait and are sent when the tool takes them again. It says:';
    case 'disconnected':
      return isMail
        ? `The provider refuses the stored key or password. ${isOwner ? 'Replace it' : 'An owner must replace it'} to send again. It says:`
        : `The tool refuses the stored key. Changes of contacts wait for 30 days at most: ${isOwner ? '' : 'an owner must '}replace the key within that time, and all are sent. It says:`;
    case 'attention':
      return isMail
        ? 'The key or password is valid, but e-mails would be refused:'
        : 'The key is valid, but a setting does not fit. The tool says:';
    case 'paused':
      if (isMail && !isDefault) return undefined;
      if (isMail)
        return `No e-mails are sent. A waiting e-mail is dropped after three days, and a reminder at about the start of its session.${reason === null ? '' : ' The provider last said:'}`;
      return `Nothing is sent. Changes of contacts wait for 30 days at most${
        reason === null
          ? ': resume the connection within that time, and all are sent.'
          : '. The tool last said:'
      }`;
    case 'connected':
    default:
      return undefined;
  }
}

const changes: Record<ConnectionChange['kind'], string> = {
  connected: 'Connected',
  credential_replaced: 'Replaced the key',
  report_secret_changed: 'Changed the secret for reports',
  changed: 'Changed the settings',
  made_default: 'Made it the default',
  paused: 'Paused',
  resumed: 'Resumed',
  disconnected: 'Removed',
};

export const changeText = (kind: ConnectionChange['kind']): string => changes[kind];

/** Of a form that changes a connection. */
export interface ChangeFormProps {
  connection: Connection;
  onClose: () => void;
}

/** Reads the connections again after one was changed here. */
export function useConnectionsChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.connections.pathFilter());
}

/** The e-mail providers. They change only with a release. */
export const sendersQuery = (trpc: ReturnType<typeof useTRPC>) =>
  trpc.connections.senders.queryOptions(undefined, { staleTime: Infinity });
