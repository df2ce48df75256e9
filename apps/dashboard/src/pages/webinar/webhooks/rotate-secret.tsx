import { useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import type { NewSecret } from './new-secret-panel.tsx';

interface RotateSecretProps {
  source: Source;
  onRotated: (created: NewSecret) => void;
  onClose: () => void;
}

export function RotateSecret({ source, onRotated, onClose }: RotateSecretProps) {
  const trpc = useTRPC();
  const { webhooks } = useTRPCClient();
  const queryClient = useQueryClient();
  const params = { webinarId: source.webinarId, webhookId: source.id };
  return (
    <Question
      text={
        <>
          The present secret ends at once. There is no grace period: from then on every delivery is signed
          with the new secret, tries of waiting deliveries included. Your endpoint refuses them until it knows
          the new secret, and they are tried again later.
        </>
      }
      confirm="Rotate secret"
      apiCall={{ operation: 'POST /webinars/{webinarId}/webhooks/{webhookId}/rotate-secret', params }}
      act={() => webhooks.rotateSecret.mutate(params)}
      onDone={({ data }) => {
        onRotated({ name: source.name, secret: data.secret });
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      }}
      onClose={onClose}
    />
  );
}
