import { VisuallyHidden } from '@mantine/core';
import { Status } from '../../components/status.tsx';
import type { Activity } from '../../trpc.ts';

const firstFailure = 400;

/** The status code, and whether that is a success. */
export function CallStatus({ call: { status } }: { call: Activity }) {
  const isSuccess = status < firstFailure;
  const word = isSuccess ? 'Success' : 'Failure';
  return (
    <Status tone={isSuccess ? 'good' : 'bad'}>
      <span title={word}>
        {status} <VisuallyHidden>{word}</VisuallyHidden>
      </span>
    </Status>
  );
}

export function ReplayBadge({ call }: { call: Activity }) {
  if (!call.replayed) return null;
  return (
    <Status tone="info" isHollow>
      <span title="Answered from the idempotency cache; nothing was done again">Replay</span>
    </Status>
  );
}
