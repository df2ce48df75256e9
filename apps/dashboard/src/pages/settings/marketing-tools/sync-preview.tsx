import { Group, Skeleton, Text } from '@mantine/core';
import { IconUserPlus } from '@service/icons';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../../components/code-block.tsx';
import listStyles from '../../../components/contact-sends.module.css';
import { SendDetails } from '../../../components/contact-sends.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { ListResult } from '../../../components/load-more.tsx';
import { Section } from '../../../components/section.tsx';
import { Status } from '../../../components/status.tsx';
import { formatPlural } from '../../../format.ts';
import { useTRPC, useTRPCClient, type Connection } from '../../../trpc.ts';
import styles from './sync-section.module.css';
import { findSendingBlock, type Preview } from './tools.ts';

type Person = NonNullable<Preview['people']>[number];

interface SyncPreviewProps {
  connection: Connection;
  preview: Preview;
  isOwner: boolean;
  unsavedReason: string | undefined;
}

/** The requests for the latest five registrants, with these settings. */
export function SyncPreview({ connection, preview, isOwner, unsavedReason }: SyncPreviewProps) {
  const { people, error, refetch } = preview;
  return (
    <Section
      title="Preview"
      text="Shows the requests for the latest five registrants with the settings above, even before you save. The key is hidden. A value in braces comes from an earlier answer."
    >
      <ListResult
        items={people}
        error={error}
        refetch={refetch}
        empty={
          <EmptyState icon={IconUserPlus} title="No registrants yet">
            The requests appear here when somebody registers.
          </EmptyState>
        }
      >
        {people ? (
          <ul className={listStyles['list']} aria-label="Preview">
            {people.map((person) => (
              <li key={person.registrationId}>
                <details>
                  <summary className={listStyles['summary']}>
                    <span className={listStyles['name']}>
                      {person.name}{' '}
                      <Text span inherit c="dimmed">
                        {person.email}
                      </Text>
                    </span>
                    <Text span size="xs" c="dimmed" className={styles['count']}>
                      {person.requests.length === 0
                        ? 'Nothing to send'
                        : formatPlural(person.requests.length, 'request')}
                    </Text>
                  </summary>
                  <div className={styles['person']}>
                    <Requests person={person} />
                    <SendNow
                      connectionId={connection.id}
                      person={person}
                      reason={unsavedReason ?? findSendingBlock(connection, isOwner)}
                    />
                  </div>
                </details>
              </li>
            ))}
          </ul>
        ) : (
          <Skeleton height={120} aria-busy />
        )}
      </ListResult>
    </Section>
  );
}

function Requests({ person: { name, requests } }: { person: Person }) {
  if (requests.length === 0)
    return <Text size="sm">The settings leave this person out, or there is nothing to send.</Text>;
  return requests.map((request) => {
    const text = requestText(request);
    return <CodeBlock key={text} text={text} label={`${request.name} for ${name}`} />;
  });
}

const requestText = ({ method, url, headers, body }: Person['requests'][number]): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', JSON.stringify(body, null, 2)]),
  ].join('\n');

interface SendNowProps {
  connectionId: string;
  person: Person;
  /** The reason why it cannot be sent now. */
  reason: string | undefined;
}

/** Sends one person, and shows the tool's answer when it is there. */
function SendNow({ connectionId, person: { registrationId }, reason }: SendNowProps) {
  const trpc = useTRPC();
  const { contacts } = useTRPCClient();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => contacts.sendNow.mutate({ connectionId, registrationId }),
  });
  const causeId = data?.data.causeId;
  // The stream has it read again when something was sent.
  const sends = useQuery(
    trpc.contacts.listSends.queryOptions(
      { connectionId, registrationId, limit: 10 },
      { enabled: causeId !== undefined },
    ),
  );
  const send = sends.data?.data.find(({ causes }) => causeId !== undefined && causes.includes(causeId));
  return (
    <>
      <Group gap="sm">
        <GuardedButton variant="default" loading={isPending} reason={reason} onClick={() => mutate()}>
          Send now
        </GuardedButton>
        {causeId !== undefined && !send ? <Status tone="info" isMoving word="Waits to be sent" /> : null}
      </Group>
      {error ? <FailureNotice error={error} /> : null}
      <div role="status">
        {send ? (
          <div className={styles['answer']}>
            <SendDetails send={send} />
          </div>
        ) : null}
      </div>
    </>
  );
}
