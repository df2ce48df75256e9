import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@service/icons';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CopyAction } from '../../../components/copy.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPCClient, type Connection, type DomainCheck } from '../../../trpc.ts';
import styles from './domain-details.module.css';
import { checkStyles, subjectNames, useDomainOptions } from './domain-texts.ts';

/** Each record of a domain: what DNS has, and what to add. */
export function DomainDetails({ connection: { id: connectionId } }: { connection: Connection }) {
  const { connections } = useTRPCClient();
  const queryClient = useQueryClient();
  const options = useDomainOptions(connectionId);
  const { data, error, refetch } = useQuery(options);
  const fresh = useMutation({
    mutationFn: () =>
      connections.domain.query({ connectionId, isFresh: true }, { context: { isSlow: true } }),
    onSuccess: (answer) => queryClient.setQueryData(options.queryKey, answer),
  });
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} aria-busy />;
  const { checks, notes, checkedAt } = data.data;
  return (
    <Stack gap="lg">
      {notes.map((note) => (
        <Notice key={note} tone="info">
          {note}
        </Notice>
      ))}
      {checks.map((check) => (
        <Check key={check.subject} check={check} />
      ))}
      {fresh.error ? <FailureNotice error={fresh.error} /> : null}
      {checks.length === 0 ? null : (
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={fresh.isPending}
            onClick={() => fresh.mutate()}
          >
            Check again
          </Button>
          <Text size="xs" c="dimmed" role="status">
            Checked <RelativeTime at={checkedAt} />. A new record can take an hour to be seen everywhere.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Check({ check: { subject, state, text, found, add } }: { check: DomainCheck }) {
  const name = subjectNames[subject];
  return (
    <section aria-label={name} className={styles['check']}>
      <Group justify="space-between" gap="xs">
        <h3 className={styles['name']}>{name}</h3>
        <Status {...checkStyles[state]} />
      </Group>
      <Text size="sm">{text}</Text>
      {found.length > 0 ? (
        <Records title="Found">
          {found.map(({ host, type, value }) => (
            <Record
              key={`${host} ${type} ${value}`}
              lines={[
                ['Type', type],
                ['Host', host],
                ['Value', value],
              ]}
            />
          ))}
        </Records>
      ) : null}
      {add.length > 0 ? (
        <Records title={found.length > 0 && state === 'wrong' ? 'Change to' : 'Add'}>
          {add.map(({ host, type, value }) => (
            <Record
              key={`${host} ${type}`}
              isCopied
              lines={[
                ['Type', type],
                ['Host', host],
                ['Value', value],
              ]}
            />
          ))}
        </Records>
      ) : null}
    </section>
  );
}

const Records = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed" fw={550}>
      {title}
    </Text>
    <div className={styles['records']}>{children}</div>
  </div>
);

interface RecordProps {
  /** Null: the provider shows the value. */
  lines: readonly (readonly [name: string, text: string | null])[];
  isCopied?: boolean;
}

const Record = ({ lines, isCopied = false }: RecordProps) => (
  <dl className={styles['record']}>
    {lines.map(([name, text]) => (
      <div key={name} className={styles['line']}>
        <dt>{name}</dt>
        <dd>
          {text === null ? 'As your provider shows it' : <code>{text}</code>}
          {isCopied && text !== null && name !== 'Type' ? (
            <CopyAction text={text} label={`Copy ${name.toLowerCase()}`} />
          ) : null}
        </dd>
      </div>
    ))}
  </dl>
);
