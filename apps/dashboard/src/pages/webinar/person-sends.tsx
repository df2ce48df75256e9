import { Skeleton, Text } from '@mantine/core';
import { ContactSends } from '../../components/contact-sends.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { failureOf } from '../../failure.ts';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient, type ContactSend } from '../../trpc.ts';
import { connectionName, useToolConnections } from '../settings/marketing-tools/tool-connections.ts';

interface PersonSendsProps {
  webinarId: string;
  registrationId: string;
  /** Only the sends for this execution of a rule. */
  executionId?: string;
  /** Shown instead of an empty list. */
  empty: string;
}

/** The sends to all marketing tools about the person of a registration, newest first. */
export function PersonSends({ empty, ...input }: PersonSendsProps) {
  const trpc = useTRPC();
  const { contacts } = useTRPCClient();
  const { connections } = useToolConnections();
  const sends = usePaged<ContactSend>({
    queryKey: trpc.contacts.ofRegistration.queryKey(input),
    fetchPage: (page, signal) => contacts.ofRegistration.query({ ...input, ...page }, { signal }),
  });
  const { items, error } = sends;
  // Executions stay when the registration is deleted.
  const isDeleted = error !== null && failureOf(error).code === 'registration_not_found';
  if (error && !items && !isDeleted)
    return <FailureNotice error={error} onRetry={() => void sends.refetch()} />;
  if (!items && !isDeleted) return <Skeleton height={64} aria-busy />;
  if (!items?.length)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return (
    <>
      <ContactSends
        label="Sends to marketing tools"
        sends={items}
        nameOf={({ connectionId }) => connectionName(connections, connectionId).text}
      />
      <LoadMore {...sends} />
    </>
  );
}
