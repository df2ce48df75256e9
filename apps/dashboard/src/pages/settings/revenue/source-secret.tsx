import { Button, Group, Text, Title } from '@mantine/core';
import { IconEyeOff, IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatExact } from '../../../format.ts';
import { useTRPCClient, type RevenueSource } from '../../../trpc.ts';
import { PasteSecretDialog } from './paste-secret-dialog.tsx';
import { RemoveSecretDialog } from './remove-secret-dialog.tsx';
import { RotateOverlapDialog } from './rotate-overlap-dialog.tsx';
import { useSourcesChanged } from './use-sources-changed.ts';

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
      <RotateOverlapDialog
        provider={provider}
        title={title}
        isOpen={dialog === 'rotate'}
        onRotated={setShown}
        onClose={close}
      />
      <PasteSecretDialog
        provider={provider}
        title={title}
        hint={secretHint}
        isOpen={dialog === 'paste'}
        onClose={close}
      />
      <RemoveSecretDialog
        provider={provider}
        title={title}
        isOpen={dialog === 'remove'}
        onRemoved={() => setShown(undefined)}
        onClose={close}
        onExited={() => (document.activeElement === document.body ? focusSection() : undefined)}
      />
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
