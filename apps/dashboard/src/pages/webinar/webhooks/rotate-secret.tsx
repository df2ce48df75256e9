import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/question.tsx';
import { useTRPC } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import type { NewSecret } from './new-secret-panel.tsx';

interface RotateSecretProps {
  source: Source;
  onRotated: (created: NewSecret) => void;
  onClose: () => void;
}

export function RotateSecret({ source, onRotated, onClose }: RotateSecretProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: webhookId, webinarId, name } = source;
  const { mutate, isPending, error } = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      // The answer contains the secret, so it must not stay in the mutation cache.
      gcTime: 0,
      onSuccess: ({ data }) => {
        onRotated({ name, secret: data.secret });
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      },
    }),
  );
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
      isPending={isPending}
      error={error}
      apiCall={{
        operation: 'POST /webinars/{webinarId}/webhooks/{webhookId}/rotate-secret',
        params: { webinarId, webhookId },
      }}
      onConfirm={() => mutate({ webinarId, webhookId })}
      onClose={onClose}
    />
  );
}
