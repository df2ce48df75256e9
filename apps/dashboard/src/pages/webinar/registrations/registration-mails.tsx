import { Button, Group, Menu, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { Status } from '../../../components/status.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Registration, type SentMail } from '../../../trpc.ts';
import { kindNames, mailStatusStyles, reasonText, timeOfReminder } from '../mails/mail-texts.ts';
import { useInvalidation } from '../use-invalidation.ts';
import styles from './registrations.module.css';

type MailedRegistration = Pick<Registration, 'id' | 'webinarId' | 'email'>;

interface RegistrationMailsProps {
  registration: MailedRegistration;
  /** Without the button: the webinar is archived. */
  isReadOnly: boolean;
}

/** The e-mails of one registration, newest first, and a button that sends one again. */
export function RegistrationMails({ registration, isReadOnly }: RegistrationMailsProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = { webinarId: registration.webinarId, registrationId: registration.id };
  const mails = usePaged<SentMail>({
    queryKey: trpc.mails.ofRegistration.queryKey(input),
    fetchPage: (page, signal) => client.mails.ofRegistration.query({ ...input, ...page }, { signal }),
  });
  const { items, error } = mails;
  if (error && !items) return <FailureNotice error={error} onRetry={() => void mails.refetch()} />;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        {isReadOnly ? <span /> : <SendAgain registration={registration} />}
        <ShowApiCall
          call={{
            operation: 'GET /webinars/{webinarId}/registrations/{registrationId}/mails',
            params: input,
          }}
          of="E-mails"
        />
      </Group>
      {items ? null : <Skeleton height={64} aria-busy />}
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No e-mail was sent to this person.
        </Text>
      ) : null}
      {items && items.length > 0 ? (
        <ol className={styles['events']} aria-label="E-mails">
          {items.map((mail) => (
            <MailItem key={mail.id} mail={mail} />
          ))}
        </ol>
      ) : null}
      <LoadMore {...mails} />
    </Stack>
  );
}

const senderTexts = {
  installation: 'by this installation',
  connection: 'by the connection of the workspace',
};

function MailItem({ mail }: { mail: SentMail }) {
  const { kind, minutesBefore, rule, status, to, sender, reason, note, sentAt, queuedAt } = mail;
  const details = [`To ${to}${sender ? `, ${senderTexts[sender]}` : ''}`, reasonText(reason), note];
  return (
    <li className={styles['event']}>
      <span className={styles['what']}>
        {rule ? `Rule “${rule.name}”` : kindNames[kind]}
        {minutesBefore === null ? '' : `, ${timeOfReminder(minutesBefore).toLowerCase()}`}
        {details.map((detail) =>
          detail ? (
            <Text span key={detail} size="xs" c="dimmed" display="block" style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
          ) : null,
        )}
      </span>
      <Status {...mailStatusStyles[status]} />
      <Text span size="xs" c="dimmed">
        <RelativeTime at={sentAt ?? queuedAt} />
      </Text>
    </li>
  );
}

const sendable = [
  { kind: 'confirmation', label: 'Confirmation' },
  { kind: 'reminder', label: 'Next reminder' },
  { kind: 'missed', label: 'Missed' },
  { kind: 'thank_you', label: 'Thank you' },
] as const;

type Sendable = (typeof sendable)[number];

function SendAgain({ registration }: { registration: MailedRegistration }) {
  const [chosen, setChosen] = useState<Sendable>();
  const close = () => setChosen(undefined);
  return (
    <>
      <Menu position="bottom-start" width={200}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} />}>
            Send again
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sendable.map((one) => (
            <Menu.Item key={one.kind} onClick={() => setChosen(one)}>
              {one.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={chosen !== undefined} onClose={close} title={`Send again: ${chosen?.label}`}>
        {chosen ? <SendForm registration={registration} kind={chosen.kind} onClose={close} /> : null}
      </Modal>
    </>
  );
}

interface SendFormProps {
  registration: MailedRegistration;
  kind: Sendable['kind'];
  onClose: () => void;
}

/** Asks before an e-mail is sent again. */
function SendForm({ registration: { webinarId, id: registrationId, email }, kind, onClose }: SendFormProps) {
  const { mails } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.mails.ofRegistration]);
  const params = { webinarId, registrationId, mailKind: kind };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => mails.send.mutate(params),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <DialogForm
      error={error}
      submit="Send"
      isPending={isPending}
      apiCall={{
        operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/mails/{mailKind}/send',
        params,
      }}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {email} gets the e-mail now, with the present text, time and join link.
      </Text>
    </DialogForm>
  );
}
