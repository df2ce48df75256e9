import { Button, Text } from '@mantine/core';
import { IconSend } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPCClient, type ServiceClient } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import styles from './source-card.module.css';
import { useSourcesChanged } from './sources.ts';

interface TestEventProps {
  provider: string;
  title: string;
}

/** Posts a signed purchase of 0 to the address of the source, as its provider does, and shows the answer. */
export function TestEvent({ provider, title }: TestEventProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const {
    mutate,
    isPending,
    data: answer,
    error,
  } = useMutation({
    mutationFn: async () => postTestEvent((await revenueSources.signTest.query({ provider })).data),
    onSuccess: changed,
  });
  return (
    <div>
      <div className={styles['outcome']} aria-live="polite">
        <Button
          variant="default"
          leftSection={<IconSend size={14} />}
          aria-label={`Send a test event to ${title}`}
          loading={isPending}
          onClick={() => mutate()}
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
          <WorkspaceLink to="/w/$workspaceId/revenue" search={{ tab: 'events', event: answer.id }}>
            Open the event
          </WorkspaceLink>
        ) : null}
      </div>
      {error ? <FailureNotice error={error} /> : null}
    </div>
  );
}

type SignedTest = Awaited<ReturnType<ServiceClient['revenueSources']['signTest']['query']>>['data'];

interface TestAnswer {
  status: number;
  /** The id in the ledger. Null when the event was refused, and for a provider whose answer has none. */
  id: string | null;
  /** The code of a refusal. */
  code: string | null;
}

/** Posts a signed test event. Throws when there is no answer. */
async function postTestEvent({ path, headers, body }: SignedTest): Promise<TestAnswer> {
  // Without the cookie of the sign-in session, which a provider does not have either.
  const response = await fetch(path, { method: 'POST', headers, body, credentials: 'omit' });
  const answer = readObject(await response.text());
  return { status: response.status, id: textOf(answer['id']), code: textOf(answer['code']) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Empty for a text that is no JSON object, such as the page of a proxy. */
function readObject(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
