import { Button, Group, Skeleton, Switch, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@service/icons';
import { lazy, Suspense, useState } from 'react';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { GuardedDrawer } from '../../../components/unsaved-guard.tsx';
import type { WebinarMails } from '../../../trpc.ts';
import { IconAction } from '../icon-actions.tsx';
import { Skeletons } from '../skeletons.tsx';
import { useMailsSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { mailChange, mailsOf, type MailSettings } from './mail-texts.ts';
import styles from './mails.module.css';
import { useMails, useSwitchMails } from './use-mails.ts';

// The list does not wait for the forms.
const MailPanelBody = lazy(async () => ({ default: (await import('./mail-panel-body.tsx')).MailPanelBody }));
const SenderForm = lazy(async () => ({ default: (await import('./sender-form.tsx')).SenderForm }));
const AddReminder = lazy(async () => ({ default: (await import('./reminder-forms.tsx')).AddReminder }));
const RemoveReminder = lazy(async () => ({
  default: (await import('./reminder-forms.tsx')).RemoveReminder,
}));

/** The e-mails that attendees of the webinar get. */
export function MailsTab() {
  const { mails, error, refetch, isReadOnly } = useMails();
  if (error && !mails) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!mails) return <Skeletons gap="md" parts={[[44, 320], [60], [320]]} />;
  return (
    <>
      <MailsSection mails={mails} isReadOnly={isReadOnly} />
      <SenderSection mails={mails} isReadOnly={isReadOnly} />
      <MailDrawer mails={mails} isReadOnly={isReadOnly} />
    </>
  );
}

interface PartProps {
  mails: WebinarMails;
  /** The webinar is archived. */
  isReadOnly: boolean;
}

/** The limit of the service. */
const remindersMax = 5;

function MailsSection({ mails, isReadOnly }: PartProps) {
  const { webinarId, search, show } = useMailsSearch();
  const webinar = useWebinar().data?.data;
  const [leaving, setLeaving] = useState<MailSettings>();
  const close = () => setLeaving(undefined);
  const isFull = mails.reminders.length >= remindersMax;
  return (
    <Section
      title="E-mails"
      text="Attendees get them in plain text and HTML, with their own join link and the times in their own time zone."
      apiCall={{ operation: 'GET /webinars/{webinarId}/mails', params: { webinarId } }}
      action={
        isReadOnly ? null : (
          <GuardedButton
            leftSection={<IconPlus size={15} />}
            reason={isFull ? `A webinar has at most ${remindersMax} reminders. Remove one first.` : undefined}
            onClick={() => show({ add: true })}
          >
            Add reminder
          </GuardedButton>
        )
      }
    >
      {isReadOnly ? (
        <Notice tone="info">
          <Text size="sm">This webinar is archived, so its e-mails cannot be changed.</Text>
        </Notice>
      ) : null}
      <WholeSwitch mails={mails} isReadOnly={isReadOnly} />
      {mails.enabled && !mails.kinds.confirmation.enabled && webinar?.registrationPage.linksByMailOnly ? (
        <Notice tone="warn">
          <Text size="sm">
            New attendees get no join link, because the registration page does not show it and the
            confirmation is off.
          </Text>
        </Notice>
      ) : null}
      <ul className={styles['list']} aria-label="E-mails">
        {mailsOf(mails).map((mail) => (
          <MailItem
            key={mail.key}
            mails={mails}
            mail={mail}
            isReadOnly={isReadOnly}
            onRemove={() => setLeaving(mail)}
          />
        ))}
      </ul>
      <LateModal
        opened={search.add === true && !isReadOnly && !isFull}
        onClose={() => show({ add: undefined })}
        title="Add reminder"
        height={140}
      >
        <AddReminder mails={mails} />
      </LateModal>
      <LateModal opened={leaving !== undefined} onClose={close} title="Remove reminder" height={120}>
        {leaving ? <RemoveReminder mails={mails} reminder={leaving} onClose={close} /> : null}
      </LateModal>
    </Section>
  );
}

/** The switch of all e-mails. */
function WholeSwitch({ mails, isReadOnly }: PartProps) {
  const { mutate, isPending, variables } = useSwitchMails(mails);
  const isOn = isPending ? (variables.enabled ?? mails.enabled) : mails.enabled;
  const control = (
    <Switch
      label="Send e-mails to attendees"
      checked={isOn}
      disabled={isReadOnly}
      onChange={(event) => mutate({ enabled: event.currentTarget.checked })}
    />
  );
  if (isOn) return <div className={styles['whole']}>{control}</div>;
  return (
    <div className={styles['whole']}>
      <Notice tone="warn">
        <Text size="sm" fw={550}>
          This webinar sends no e-mails
        </Text>
        <Text size="sm" mb={10}>
          Attendees get no confirmation, no reminders and no join link by e-mail. Webinars that were made
          before this service sent e-mails are off until you switch them on. E-mails of automation rules are
          switched with their rule.
        </Text>
        {control}
      </Notice>
    </div>
  );
}

interface MailItemProps extends PartProps {
  mail: MailSettings;
  onRemove: () => void;
}

function MailItem({ mails, mail, isReadOnly, onRemove }: MailItemProps) {
  const { show } = useMailsSearch();
  const { mutate, isPending, variables } = useSwitchMails(mails);
  const { key, kind, name, when, enabled, subject } = mail;
  const isOn = isPending && variables ? !enabled : enabled;
  const label = kind === 'reminder' ? `${name}, ${when.toLowerCase()}` : name;
  const open = () => show({ mail: key });
  return (
    <li className={styles['item']} data-off={!isOn || !mails.enabled || undefined}>
      <Switch
        className={styles['switch']}
        aria-label={`${label} enabled`}
        checked={isOn}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => mutate(mailChange(mails, mail, { enabled: currentTarget.checked }))}
      />
      <div className={styles['words']}>
        <button type="button" className={styles['name']} aria-label={label} onClick={open}>
          {name}
        </button>
        <div className={styles['when']}>{when}</div>
        <div className={styles['subject']}>{subject}</div>
      </div>
      <Group gap={2} wrap="nowrap" justify="flex-end">
        {isReadOnly ? null : <IconAction icon={IconPencil} label={`Change: ${label}`} onClick={open} />}
        {kind === 'reminder' && !isReadOnly ? (
          <IconAction icon={IconTrash} label={`Remove: ${label}`} onClick={onRemove} />
        ) : null}
      </Group>
    </li>
  );
}

function SenderSection({ mails: { senderName, replyTo }, isReadOnly }: PartProps) {
  const { show } = useMailsSearch();
  return (
    <Section
      title="Sender"
      text="Of all e-mails of this webinar. The address belongs to the connection of the workspace."
      action={
        isReadOnly ? null : (
          <Button
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => show({ mail: 'sender' })}
          >
            Change sender
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['Name', senderName ?? 'The name of the connection, else that of the workspace'],
          ['Replies to', replyTo ?? 'The address of the connection'],
        ]}
      />
    </Section>
  );
}

/** The panel of an e-mail or of the sender. */
function MailDrawer({ mails, isReadOnly }: PartProps) {
  const { search, show } = useMailsSearch();
  const [isDirty, setDirty] = useState(false);
  const key = search.mail;
  const mail = mailsOf(mails).find((one) => one.key === key);
  const isSender = key === 'sender';
  return (
    <GuardedDrawer
      opened={key !== undefined}
      onClose={() => show({ mail: undefined })}
      title={isSender ? 'Sender' : (mail?.name ?? 'E-mail')}
      size={isSender ? 'lg' : 1080}
      isDirty={key !== undefined && isDirty}
      staysOpen={(next) => next['mail'] === key}
    >
      <Suspense fallback={<Skeleton height={480} aria-busy />}>
        {isSender ? <SenderForm mails={mails} isReadOnly={isReadOnly} onDirty={setDirty} /> : null}
        {key !== undefined && !isSender ? (
          <MailPanelBody key={key} mails={mails} mail={mail} isReadOnly={isReadOnly} onDirty={setDirty} />
        ) : null}
      </Suspense>
    </GuardedDrawer>
  );
}
