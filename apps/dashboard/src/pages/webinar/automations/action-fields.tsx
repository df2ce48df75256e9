import '../../../components/choices.css';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { IconMail, IconPlugConnected, IconTrash, IconWebhook } from '@service/icons';
import type { UseFormReturnType } from '@mantine/form';
import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import type { SourceRef } from '../../source/source.ts';
import { UrlField } from '../../source/url-field.tsx';
import { useMails } from '../mails/use-mails.ts';
import { useInsertion, Variables } from '../mails/variables.tsx';
import { IntegrationFields, newIntegration, useIsMoving } from './integration-fields.tsx';
import styles from './rule-panels.module.css';
import { actionPath, type ActionValues, type EmailValues, type RuleValues } from './rule-values.ts';

// Most readers of the form look at no preview.
const MailPreview = lazy(async () => ({ default: (await import('../mails/mail-preview.tsx')).MailPreview }));

type RuleForm = UseFormReturnType<RuleValues>;

/** The limit of the service. */
const actionsMax = 5;

const noToolText = 'No marketing tool is connected. Owners connect them in Settings.';

interface ActionFieldsProps {
  form: RuleForm;
  webinarId: string;
  /** The stored webhook of the rule, which removing would end. */
  storedWebhook: (SourceRef & { url: string }) | undefined;
}

/** The actions of a rule: one webhook at most, e-mails, and updates of the contact in marketing tools. */
export function ActionFields({ form, webinarId, storedWebhook }: ActionFieldsProps) {
  const { actions } = form.values;
  const { connections: tools } = useToolConnections();
  const isMoving = useIsMoving();
  const hasWebhook = actions.some(({ type }) => type === 'webhook');
  const isFull = actions.length >= actionsMax;
  const list = useRef<HTMLDivElement>(null);
  const addFirst = useRef<HTMLButtonElement>(null);
  const add = (action: ActionValues) => {
    // At once, because the button that adds a webhook is gone then.
    flushSync(() => form.insertListItem('actions', action));
    list.current?.querySelector<HTMLInputElement>(':scope > fieldset:last-of-type input')?.focus();
  };
  const remove = (index: number) => {
    form.removeListItem('actions', index);
    addFirst.current?.focus();
  };
  const fullReason = isFull ? `A rule has at most ${actionsMax} actions.` : undefined;
  return (
    <Stack gap="sm" ref={list}>
      {actions.map((action, index) => (
        <Fieldset
          key={action.key}
          className={styles['action']}
          classNames={{ legend: styles['legend'] }}
          legend={nameOf(actions, index)}
        >
          {action.type === 'webhook' ? (
            <UrlField
              {...form.getInputProps(actionPath(index, 'url'))}
              value={action.url}
              stored={storedWebhook}
            />
          ) : action.type === 'email' ? (
            <EmailFields form={form} webinarId={webinarId} index={index} email={action} />
          ) : (
            <IntegrationFields form={form} index={index} action={action} />
          )}
          {actions.length > 1 ? (
            <Group justify="flex-end" mt="xs">
              <Button
                variant="subtle"
                color="red"
                size="compact-xs"
                leftSection={<IconTrash size={13} />}
                aria-label={`Remove ${nameOf(actions, index)}`}
                disabled={isMoving}
                onClick={() => remove(index)}
              >
                Remove
              </Button>
            </Group>
          ) : null}
        </Fieldset>
      ))}
      {storedWebhook && !hasWebhook ? (
        <Text size="xs" c="dimmed">
          When you save, the signing secret ends, and deliveries that wait are cancelled.
        </Text>
      ) : null}
      <Group gap="xs">
        <GuardedButton
          ref={addFirst}
          variant="default"
          size="xs"
          leftSection={<IconMail size={14} />}
          reason={fullReason}
          onClick={() => add(newEmail())}
        >
          Add e-mail
        </GuardedButton>
        <GuardedButton
          variant="default"
          size="xs"
          leftSection={<IconPlugConnected size={14} />}
          reason={tools?.length === 0 ? noToolText : fullReason}
          onClick={() => add(newIntegration(tools?.length === 1 ? tools[0]!.id : ''))}
        >
          Add marketing tool
        </GuardedButton>
        {hasWebhook ? null : (
          <GuardedButton
            variant="default"
            size="xs"
            leftSection={<IconWebhook size={14} />}
            reason={fullReason}
            onClick={() => add({ key: randomId(), type: 'webhook', url: '' })}
          >
            Add webhook
          </GuardedButton>
        )}
      </Group>
    </Stack>
  );
}

const newEmail = (): EmailValues => ({
  key: randomId(),
  type: 'email',
  to: 'attendee',
  purpose: 'service',
  subject: '',
  text: 'Hello {{firstName}},\n\n\n\n{{workspaceName}}',
  attachCalendar: false,
});

const actionNames: Record<ActionValues['type'], string> = {
  webhook: 'Webhook',
  email: 'E-mail',
  integration: 'Marketing tool',
};

/** "E-mail", or "E-mail 2" beside others. */
function nameOf(actions: readonly ActionValues[], index: number): string {
  const { type: own } = actions[index]!;
  const isSame = ({ type }: ActionValues): boolean => type === own;
  const before = actions.slice(0, index).filter(isSame).length;
  return actionNames[own] + (actions.filter(isSame).length === 1 ? '' : ` ${before + 1}`);
}

const recipients = [
  { value: 'attendee', label: 'To the attendee' },
  { value: 'members', label: 'To the members' },
];

const purposes = [
  { value: 'service', label: 'About their registration' },
  { value: 'marketing', label: 'Marketing' },
];

const purposeTexts: Record<EmailValues['purpose'], string> = {
  service: 'Also sent to people who have unsubscribed. Use it only for what they registered for.',
  marketing: 'Not sent to people who have unsubscribed. It ends with a link to unsubscribe.',
};

interface EmailFieldsProps {
  form: RuleForm;
  webinarId: string;
  index: number;
  email: EmailValues;
}

function EmailFields({ form, webinarId, index, email }: EmailFieldsProps) {
  const { mails } = useMails();
  const [open, setOpen] = useState<'variables' | 'preview'>();
  const toggle = (part: 'variables' | 'preview') => setOpen(open === part ? undefined : part);
  const [subjectPath, textPath] = [actionPath(index, 'subject'), actionPath(index, 'text')];
  const insertion = useInsertion({
    paths: [subjectPath, textPath],
    defaultPath: textPath,
    setValue: (path, value) => form.setFieldValue(path, value),
  });
  const isToMembers = email.to === 'members';
  const change = (fields: Partial<EmailValues>) =>
    form.setFieldValue(`actions.${index}`, { ...email, ...fields });
  // The former time exists only in the e-mail about a change.
  const variables = mails?.variables.filter(
    ({ name, isPersonal }) => name !== 'formerTime' && !(isToMembers && isPersonal),
  );
  const { purpose, subject, text } = email;
  return (
    <Stack gap="sm" onFocusCapture={({ target }) => insertion.onFocus(target)}>
      <SegmentedControl
        aria-label="Recipients"
        data={recipients}
        value={email.to}
        onChange={(to) =>
          change(
            to === 'members'
              ? { to: 'members', purpose: 'service', attachCalendar: false }
              : { to: 'attendee' },
          )
        }
      />
      {isToMembers ? (
        <Text size="xs" c="dimmed">
          Each member of the workspace gets it, at most 20 members and 20 e-mails a day.
        </Text>
      ) : (
        <div>
          <SegmentedControl
            aria-label="Purpose"
            fullWidth
            data={purposes}
            value={purpose}
            onChange={(chosen) => change({ purpose: chosen as EmailValues['purpose'] })}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {purposeTexts[purpose]}
          </Text>
        </div>
      )}
      <TextInput
        label="Subject"
        autoComplete="off"
        maxLength={200}
        placeholder="Your seat in {{webinarTitle}}"
        {...form.getInputProps(subjectPath)}
      />
      <Textarea
        label="Text"
        description="The HTML is made from it. A line with a variable that has no value is left out."
        autosize
        minRows={6}
        maxRows={18}
        maxLength={10_000}
        {...form.getInputProps(textPath)}
      />
      {isToMembers ? null : (
        <Checkbox
          label="Attach the session as a calendar file"
          checked={email.attachCalendar}
          onChange={(event) => change({ attachCalendar: event.currentTarget.checked })}
        />
      )}
      <Group gap="xs">
        {(['variables', 'preview'] as const).map((part) => (
          <Button
            key={part}
            variant="default"
            size="xs"
            aria-expanded={open === part}
            onClick={() => toggle(part)}
          >
            {part === 'variables' ? 'Variables' : 'Preview and test'}
          </Button>
        ))}
      </Group>
      {open === 'variables' && variables ? (
        <Variables variables={variables} onInsert={insertion.insert} />
      ) : null}
      {open === 'preview' ? (
        <Suspense>
          <MailPreview webinarId={webinarId} mail={{ kind: 'rule', purpose }} draft={{ subject, text }} />
        </Suspense>
      ) : null}
    </Stack>
  );
}
