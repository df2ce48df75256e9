import { Anchor, VisuallyHidden } from '@mantine/core';
import { Status } from '../../components/status.tsx';
import { docsOfErrorCode } from '../../docs-links.ts';
import type { Activity } from '../../trpc.ts';

const firstFailure = 400;

/** The status code, marked as success or failure. */
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

/** The error code as a link to its explanation in the API reference. */
export function ErrorCode({ code }: { code: string | null }) {
  if (code === null) return null;
  return (
    <Anchor size="xs" ml={6} href={docsOfErrorCode(code)} target="_blank" underline="always">
      <code>{code}</code>
    </Anchor>
  );
}

export function ReplayBadge({ call }: { call: Activity }) {
  if (!call.replayed) return null;
  return (
    <Status tone="info" isHollow>
      <span title="The stored answer of an earlier request with the same idempotency key">Replay</span>
    </Status>
  );
}
