import { Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { CopyableCode } from '../../../components/copy.tsx';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { PasswordField } from '../../../components/password-field.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPC, useTRPCClient, type Connection, type MailSender } from '../../../trpc.ts';
import styles from '../revenue/source-card.module.css';
import { sendersQuery, useConnectionsChanged } from '../connections/connection-texts.ts';

type SecretField = NonNullable<NonNullable<MailSender['reports']>['secret']>;

/** The way to let the provider report bounces, complaints and people who unsubscribe. */
export function ReportSetup({ connection, isOwner }: { connection: Connection; isOwner: boolean }) {
  const trpc = useTRPC();
  const { id: connectionId, provider } = connection;
  const [isOpen, setOpen] = useState(false);
  const address = useQuery(trpc.mails.reportUrl.queryOptions({ connectionId }, { staleTime: Infinity }));
  const senders = useQuery(sendersQuery(trpc));
  const sender = senders.data?.data.find((one) => one.provider === provider);
  const url = address.data?.data.url;
  const failed = [address, senders].find(({ data, error }) => error && !data);
  if (failed) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!sender) return <Skeleton height={12} width={220} />;
  if (url === null || !sender.reports)
    return 'A mail server sends no reports. Addresses that it refuses at once are suppressed.';
  const { setup, secret } = sender.reports;
  const shownUrl =
    url === undefined ? (
      <Skeleton component="span" display="inline-block" height={12} width={320} maw="100%" />
    ) : (
      <CopyableCode text={url} label="Copy the address for reports" />
    );
  if (!secret) return <Step text={setup}>{shownUrl}</Step>;
  const { state, secretLast4 } = connection.reports;
  const label = secret.label.toLowerCase();
  const button = isOwner ? (
    <Button variant="default" size="compact-sm" mt={4} onClick={() => setOpen(true)}>
      {state === 'read' ? `Replace ${label}` : `Paste ${label}`}
    </Button>
  ) : null;
  return (
    <>
      {state === 'read' ? (
        <>
          <Step text={setup}>{shownUrl}</Step>
          <div>
            {secret.label}: {`•••• ${secretLast4}`}
          </div>
          {button}
        </>
      ) : (
        <>
          Reports are not read yet.
          <ol className={styles['steps']}>
            <li>
              <Step text={setup}>Add this address: {shownUrl}</Step>
            </li>
            <li>
              <Step text={secret.help}>
                {isOwner ? `Paste the ${label} here.` : `An owner pastes the ${label} here.`}
              </Step>
              {button}
            </li>
          </ol>
        </>
      )}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`${secret.label} of ${connection.name}`}>
        {isOpen ? <SecretForm connection={connection} field={secret} onClose={() => setOpen(false)} /> : null}
      </Modal>
    </>
  );
}

const Step = ({ text, children }: { text: string; children: ReactNode }) => (
  <>
    <div>{children}</div>
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  </>
);

interface SecretFormProps {
  connection: Connection;
  field: SecretField;
  onClose: () => void;
}

function SecretForm({ connection: { id: connectionId, reports }, field, onClose }: SecretFormProps) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const [text, setText] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (secret: string | null) => connections.changeReportSecret.mutate({ connectionId, secret }),
    // The input is the secret.
    gcTime: 0,
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <DialogForm
      error={error}
      shownPaths={['secret']}
      submit="Save"
      isPending={isPending}
      onSubmit={() => mutate(text)}
      onCancel={onClose}
    >
      <PasswordField
        label={field.label}
        description={field.help}
        placeholder={field.placeholder}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        error={error ? fieldErrors(failureOf(error), ['secret'])['secret'] : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        Reports without this signature are refused. Later, only the last four characters are shown.
      </Text>
      {reports.secretLast4 === null ? null : (
        <Group>
          <Button variant="subtle" color="red" disabled={isPending} onClick={() => mutate(null)}>
            Remove it and read no reports
          </Button>
        </Group>
      )}
    </DialogForm>
  );
}
