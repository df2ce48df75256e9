import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, type Connection, type ConnectionChange } from '../../../trpc.ts';

type Explanations = Partial<Record<Connection['state'], string>>;

/** Above the reason, which is mostly in the provider's own words. */
export const stateExplanations: Record<Connection['kind'], Explanations> = {
  mail: {
    failing: 'E-mails wait and are sent when the provider takes them again. It says:',
    disconnected: 'The provider refuses the stored key or password. Replace it to send again. It says:',
    attention: 'The key or password is valid, but e-mails would be refused:',
  },
  marketing: {
    failing: 'Changes wait and are sent when the tool takes them again. It says:',
    disconnected:
      'The tool refuses the stored key. Changes wait for 30 days: replace the key in this time, and all are sent. It says:',
    attention: 'The key is valid, but a setting does not fit. The tool says:',
  },
};

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
