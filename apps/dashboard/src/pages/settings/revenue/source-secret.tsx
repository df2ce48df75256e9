import { Button, Group, Modal, Text, Title } from '@mantine/core';
import { IconEyeOff, IconKey, IconPlus, IconRefresh, IconTrash } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { lazy, useRef, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { PasswordField } from '../../../components/password-field.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { formatExact } from '../../../format.ts';
import { useTRPCClient, type RevenueSource } from '../../../trpc.ts';
import { useSourcesChanged } from './sources.ts';

const RotateOverlapForm = lazy(async () => ({
  default: (await import('./rotate-overlap-form.tsx')).RotateOverlapForm,
}));

interface SourceSecretProps {
  source: RevenueSource;
  title: string;
  isOwner: boolean;
}

type Dialog = 'rotate' | 'paste' | 'remove';

/** The secret of a source. A new one is shown once: it is in the state of this component, and nowhere else. */
export function SourceSecret({ source, title, isOwner }: SourceSecretProps) {
  const { provider, secretMadeBy, secretHint, secretLast4, previousSecretUntil } = source;
  const [shown, setShown] = useState<string>();
  const [dialog, setDialog] = useState<Dialog>();
  const section = useRef<HTMLElement>(null);
  const close = () => setDialog(undefined);
  // The button that was used is gone.
  const focusSection = () => section.current?.focus();
  const isOurs = secretMadeBy === 'service';
  const hasSecret = secretLast4 !== null;
  return (
    <section ref={section} tabIndex={-1} aria-label={`Signing secret of ${title}`}>
      <Group justify="space-between" mb={8}>
        <Title order={4} size="h3">
          Signing secret
        </Title>
        {isOwner ? (
          <Group gap="xs">
            {isOurs && (!hasSecret || shown !== undefined) ? (
              <NewSecret
                provider={provider}
                shown={shown}
                onCreated={setShown}
                onHidden={() => {
                  setShown(undefined);
                  focusSection();
                }}
              />
            ) : null}
            {hasSecret && isOurs ? (
              <Button
                variant="default"
                leftSection={<IconRefresh size={14} />}
                onClick={() => setDialog('rotate')}
              >
                Rotate
              </Button>
            ) : null}
            {isOurs ? null : (
              <Button
                variant={hasSecret ? 'default' : 'filled'}
                leftSection={<IconKey size={14} />}
                onClick={() => setDialog('paste')}
              >
                {hasSecret ? 'Replace secret' : 'Paste secret'}
              </Button>
            )}
            {hasSecret ? (
              <Button
                variant="subtle"
                className="quiet-danger"
                leftSection={<IconTrash size={14} />}
                onClick={() => setDialog('remove')}
              >
                Remove
              </Button>
            ) : null}
          </Group>
        ) : null}
      </Group>
      {hasSecret ? (
        <CodeBlock
          text={shown ?? `whsec_${'•'.repeat(24)}${secretLast4}`}
          label={`Signing secret of ${title}`}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {isOwner
            ? 'Without a secret, every event of this source is refused.'
            : 'There is no secret yet. An owner of the workspace can add it.'}
        </Text>
      )}
      {shown === undefined ? null : (
        <Text size="sm" mt={4}>
          Copy the secret now. It is shown only once; later you can rotate it.
        </Text>
      )}
      {previousSecretUntil === null ? null : (
        <Text size="xs" c="dimmed" mt={4}>
          The previous secret is valid until {formatExact(previousSecretUntil)}.
        </Text>
      )}
      <LateModal
        opened={dialog === 'rotate'}
        onClose={close}
        title={`Rotate the secret of ${title}`}
        height={260}
      >
        <RotateOverlapForm provider={provider} onRotated={setShown} onClose={close} />
      </LateModal>
      <Modal opened={dialog === 'paste'} onClose={close} title={`Signing secret of ${title}`}>
        <PasteForm provider={provider} title={title} hint={secretHint} onClose={close} />
      </Modal>
      <Modal
        opened={dialog === 'remove'}
        onClose={close}
        onExitTransitionEnd={() => (document.activeElement === document.body ? focusSection() : undefined)}
        title={`Remove the secret of ${title}`}
      >
        <RemoveSecret provider={provider} onRemoved={() => setShown(undefined)} onClose={close} />
      </Modal>
    </section>
  );
}

interface NewSecretProps {
  provider: string;
  shown: string | undefined;
  onCreated: (secret: string) => void;
  onHidden: () => void;
}

/** One button creates and hides the secret, so that it keeps the focus while the secret is copied. */
function NewSecret({ provider, shown, onCreated, onHidden }: NewSecretProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revenueSources.createSecret.mutate({ provider }),
    // The answer contains the secret.
    gcTime: 0,
    onSuccess: ({ data }) => {
      onCreated(data.secret);
      return changed();
    },
  });
  const isShown = shown !== undefined;
  const Icon = isShown ? IconEyeOff : IconPlus;
  return (
    <>
      {error ? <FailureNotice error={error} /> : null}
      <Button
        variant={isShown ? 'default' : 'filled'}
        leftSection={<Icon size={14} />}
        loading={isPending}
        onClick={() => (isShown ? onHidden() : mutate())}
      >
        {isShown ? 'Hide' : 'Create'} secret
      </Button>
      {isShown ? <CopyButton text={shown} label="Copy secret" /> : null}
    </>
  );
}

interface PasteFormProps {
  provider: string;
  title: string;
  /** The form of the secret. */
  hint: string | null;
  onClose: () => void;
}

const fields = ['secret'];

/** Takes the secret that a payment provider has issued. */
function PasteForm({ provider, title, hint, onClose }: PasteFormProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const [secret, setSecret] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revenueSources.setSecret.mutate({ provider, secret: secret.trim() }),
    // The input contains the secret.
    gcTime: 0,
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const refused = error ? fieldErrors(failureOf(error), fields)['secret'] : undefined;
  return (
    <DialogForm
      error={error}
      shownPaths={fields}
      submit="Save secret"
      isPending={isPending}
      isDisabled={secret.trim() === ''}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        {title} shows it beside the endpoint that you added there. Later, only its last four characters are
        shown. A secret that was pasted before is replaced at once.
      </Text>
      <PasswordField
        label="Signing secret"
        description={hint}
        maxLength={250}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={secret}
        // The hint is above the field already.
        error={
          refused !== undefined && refused === hint ? `This is not a signing secret of ${title}.` : refused
        }
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

interface RemoveSecretProps {
  provider: string;
  onRemoved: () => void;
  onClose: () => void;
}

function RemoveSecret({ provider, onRemoved, onClose }: RemoveSecretProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  return (
    <Question
      text="Every event of this source is refused from now on. Events that were received stay. To receive again, add a secret."
      confirm="Remove secret"
      act={() => revenueSources.removeSecret.mutate({ provider })}
      onDone={() => {
        onRemoved();
        onClose();
        return changed();
      }}
      onClose={onClose}
    />
  );
}
