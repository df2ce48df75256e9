import { Button, Group, Text, Title } from '@mantine/core';
import { IconEye, IconEyeOff, IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
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

/** The secret of a source. It is in the state of this component while it is shown, and nowhere else. */
export function SourceSecret({ source, title, isOwner }: SourceSecretProps) {
  const { provider, secretMadeBy, secretHint, secretLast4, previousSecretUntil } = source;
  const [shown, setShown] = useState<string>();
  const [dialog, setDialog] = useState<Dialog>();
  const section = useRef<HTMLElement>(null);
  const close = () => setDialog(undefined);
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
            {isOurs ? (
              <ShowSecret provider={provider} hasSecret={hasSecret} shown={shown} onShow={setShown} />
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
        // The button that opened the dialog is gone after the removal.
        onExited={() => (document.activeElement === document.body ? section.current?.focus() : undefined)}
      />
    </section>
  );
}

interface ShowSecretProps {
  provider: string;
  hasSecret: boolean;
  shown: string | undefined;
  onShow: (secret: string | undefined) => void;
}

/** One button creates, reveals and hides the secret, so that it keeps the focus. */
function ShowSecret({ provider, hasSecret, shown, onShow }: ShowSecretProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (hasSecret) return revenueSources.revealSecret.query({ provider });
      const created = await revenueSources.createSecret.mutate({ provider });
      await changed();
      return created;
    },
    // The answer contains the secret.
    gcTime: 0,
    onSuccess: ({ data }) => onShow(data.secret),
  });
  const Icon = hasSecret ? (shown === undefined ? IconEye : IconEyeOff) : IconPlus;
  const verb = hasSecret ? (shown === undefined ? 'Reveal' : 'Hide') : 'Create';
  return (
    <>
      {error ? <FailureNotice error={error} /> : null}
      <Button
        variant={hasSecret ? 'default' : 'filled'}
        leftSection={<Icon size={14} />}
        loading={isPending}
        onClick={() => (shown === undefined ? mutate() : onShow(undefined))}
      >
        {verb} secret
      </Button>
      {shown === undefined ? null : <CopyButton text={shown} label="Copy secret" />}
    </>
  );
}
