import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { PasswordField } from '../../../components/password-field.tsx';
import { Section } from '../../../components/section.tsx';
import { ShownOnce } from '../../../components/shown-once.tsx';
import { Status } from '../../../components/status.tsx';
import { post } from '../../../session.ts';
import { useSessionChanged, useWorkspace } from '../../../workspace.ts';

type Dialog = 'on' | 'off' | 'codes';

const titles: Record<Dialog, string> = {
  on: 'Switch on two-factor sign-in',
  off: 'Switch off two-factor sign-in',
  codes: 'New recovery codes',
};

/** Paths of better-auth's plugin, which take the password. Those that answer with recovery codes end the former ones. */
const paths: Record<Dialog, string> = { on: 'enable', off: 'disable', codes: 'generate-backup-codes' };

interface Secrets {
  /** The key for the authenticator app. A code of the app switches the second factor on. */
  totpURI?: string;
  backupCodes: string[];
}

/** The second factor of the sign-in. Keys and codes are only in the state of the dialog. */
export function TwoFactorSection() {
  const { user } = useWorkspace();
  const changed = useSessionChanged();
  const [dialog, setDialog] = useState<Dialog>();
  const [secrets, setSecrets] = useState<Secrets>();
  const [isConfirmed, setConfirmed] = useState(false);
  const close = () => {
    setDialog(undefined);
    setSecrets(undefined);
    setConfirmed(false);
  };
  const showsCodes = secrets !== undefined && (secrets.totpURI === undefined || isConfirmed);
  return (
    <Section
      title="Two-factor sign-in"
      text="A sign-in also asks for a code of an authenticator app on your phone, so a password alone is not enough."
    >
      {user.hasTwoFactor ? (
        <Group gap="sm">
          <Status tone="good" word="On" />
          <Button variant="default" onClick={() => setDialog('codes')}>
            New recovery codes
          </Button>
          <Button variant="default" className="quiet-danger" onClick={() => setDialog('off')}>
            Switch off
          </Button>
        </Group>
      ) : (
        <Group gap="sm">
          <Status tone="quiet" isHollow word="Off" />
          <Button onClick={() => setDialog('on')}>Switch on</Button>
        </Group>
      )}
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={dialog ? titles[dialog] : ''}
        closeOnClickOutside={!showsCodes}
        closeOnEscape={!showsCodes}
        withCloseButton={!showsCodes}
      >
        {dialog && !secrets ? (
          <PasswordForm
            dialog={dialog}
            onSecrets={setSecrets}
            onOff={async () => {
              await changed();
              close();
            }}
            onCancel={close}
          />
        ) : null}
        {secrets?.totpURI !== undefined && !isConfirmed ? (
          <ConfirmForm
            totpURI={secrets.totpURI}
            onConfirmed={async () => {
              setConfirmed(true);
              await changed();
            }}
            onCancel={close}
          />
        ) : null}
        {showsCodes ? (
          <ShownOnce
            noun="list"
            advice="Each code signs you in once when you do not have your app. Store them where your phone is not needed."
            name="Recovery codes"
            text={secrets.backupCodes.join('\n')}
            label="The recovery codes"
            testId="recovery-codes"
            onDone={close}
          />
        ) : null}
      </Modal>
    </Section>
  );
}

interface PasswordFormProps {
  dialog: Dialog;
  onSecrets: (secrets: Secrets) => void;
  onOff: () => Promise<void>;
  onCancel: () => void;
}

/** Each change begins with the password. */
function PasswordForm({ dialog, onSecrets, onOff, onCancel }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    // The answer contains secrets.
    gcTime: 0,
    async mutationFn() {
      const answer = await post<Secrets>(`two-factor/${paths[dialog]}`, { password });
      if (dialog === 'off') await onOff();
      else onSecrets(answer);
    },
  });
  return (
    <DialogForm
      error={error}
      submit={dialog === 'off' ? 'Switch off' : 'Continue'}
      {...(dialog === 'off' && { color: 'red' as const })}
      isPending={isPending}
      isDisabled={password === ''}
      onSubmit={() => mutate()}
      onCancel={onCancel}
    >
      {dialog === 'codes' ? <Text size="sm">Your former recovery codes stop working.</Text> : null}
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        autoFocus
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </DialogForm>
  );
}

interface ConfirmFormProps {
  totpURI: string;
  onConfirmed: () => Promise<void>;
  onCancel: () => void;
}

function ConfirmForm({ totpURI, onConfirmed, onCancel }: ConfirmFormProps) {
  const [code, setCode] = useState('');
  const key = new URL(totpURI).searchParams.get('secret') ?? '';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => post('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onConfirmed,
  });
  return (
    <DialogForm
      error={error}
      submit="Switch on"
      isPending={isPending}
      isDisabled={code.trim() === ''}
      onSubmit={() => mutate()}
      onCancel={onCancel}
    >
      <Text size="sm">
        Scan the picture with an authenticator app, or enter the key there. On this device you can{' '}
        <a href={totpURI}>open the app</a>. Then type the code that it shows.
      </Text>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(totpURI, { border: 4 }))}`}
        alt="QR code with the key for the authenticator app"
        width={180}
        height={180}
        style={{ alignSelf: 'center', background: '#ffffff' }}
      />
      <Stack gap={6}>
        <Group justify="space-between">
          <Text size="sm" fw={550}>
            Key
          </Text>
          <CopyButton text={key} label="Copy key" />
        </Group>
        <CodeBlock text={key} label="The key for the authenticator app" testId="two-factor-key" />
      </Stack>
      <TextInput
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </DialogForm>
  );
}
