import { Button, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPC } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import styles from './source-card.module.css';
import { useSourcesChanged } from './use-sources-changed.ts';

interface TestEventProps {
  provider: string;
  title: string;
}

/** Sends a signed purchase of 0 to the address of the source, and shows the answer. */
export function TestEvent({ provider, title }: TestEventProps) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const changed = useSourcesChanged();
  const { mutate, isPending, data, error } = useMutation(
    trpc.revenueSources.sendTest.mutationOptions({ onSuccess: () => changed() }),
  );
  const answer = data?.data;
  return (
    <div>
      <div className={styles['outcome']} aria-live="polite">
        <Button
          variant="default"
          leftSection={<IconSend size={14} />}
          aria-label={`Send a test event to ${title}`}
          loading={isPending}
          onClick={() => mutate({ provider })}
        >
          Send a test event
        </Button>
        {answer ? (
          <Status tone={answer.status < 300 ? 'good' : 'bad'} isPill={false}>
            Answered {answer.status}
            {answer.code === null ? '' : `: ${answer.code}`}
          </Status>
        ) : (
          <Text size="xs" c="dimmed">
            A signed purchase of 0, so sums stay as they are.
          </Text>
        )}
        {answer?.id ? (
          <Link
            to="/w/$workspaceId/revenue"
            params={{ workspaceId: workspace.id }}
            search={{ tab: 'events', event: answer.id }}
          >
            Open the event
          </Link>
        ) : null}
      </div>
      {error ? <FailureNotice error={error} /> : null}
    </div>
  );
}
