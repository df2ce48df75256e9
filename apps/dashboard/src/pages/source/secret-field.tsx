import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { IconCopy, IconEye, IconEyeOff, IconRefresh } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiCall } from '../../api-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Question } from '../../components/dialog-form.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { copyText } from '../../components/use-copy.ts';

interface SecretFieldProps {
  secretLast4: string;
  rotatedAt: string;
  /** The name of the rule or subscription. */
  name: string;
  /** Reads the secret: one call each time. Absent for a subscription, whose secret is shown only when it is new. */
  reveal?: () => Promise<string>;
  /** Replaces the secret and returns the new one. */
  rotate: () => Promise<string>;
  /** The call that rotates the secret. */
  rotateCall: ApiCall;
}

/**
 * Hidden at first, so that a shared screen does not show it. The secret is in the state of this component while it is shown, and
 * nowhere else.
 */
export function SecretField({ secretLast4, rotatedAt, name, reveal, rotate, rotateCall }: SecretFieldProps) {
  const [shown, setShown] = useState<string>();
  const [isRotating, setIsRotating] = useState(false);
  const close = () => setIsRotating(false);
  return (
    <section aria-label="Signing secret">
      <Group justify="space-between" mb={8}>
        <Title order={3}>Signing secret</Title>
        <Group gap="xs">
          {reveal ? <RevealButtons reveal={reveal} shown={shown} onShow={setShown} /> : null}
          {shown !== undefined && !reveal ? <CopyButton text={shown} label="Copy secret" /> : null}
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={() => setIsRotating(true)}
          >
            Rotate
          </Button>
        </Group>
      </Group>
      <CodeBlock
        text={shown ?? `whsec_${'•'.repeat(24)}${secretLast4}`}
        label="Signing secret"
        testId="rule-secret"
      />
      <Text size="xs" c="dimmed" mt={4}>
        In use since <RelativeTime at={rotatedAt} />.
      </Text>
      <Modal opened={isRotating} onClose={close} title={`Rotate the secret of “${name}”`}>
        <RotateSecret rotate={rotate} apiCall={rotateCall} onRotated={setShown} onClose={close} />
      </Modal>
    </section>
  );
}

interface RevealButtonsProps {
  reveal: () => Promise<string>;
  shown: string | undefined;
  onShow: (secret: string | undefined) => void;
}

/** The buttons stay the same while the secret is shown, so that they keep the focus. */
function RevealButtons({ reveal, shown, onShow }: RevealButtonsProps) {
  // gcTime 0: the answer contains the secret.
  const show = useMutation({ mutationFn: reveal, gcTime: 0, onSuccess: onShow });
  const copy = useMutation({ mutationFn: async () => copyText(shown ?? (await reveal())), gcTime: 0 });
  const copyLabel = copy.data === undefined ? 'Copy secret' : copy.data ? 'Copied' : 'Copying was blocked';
  const error = show.error ?? copy.error;
  const Icon = shown === undefined ? IconEye : IconEyeOff;
  return (
    <>
      {error ? <FailureNotice error={error} /> : null}
      <Button
        variant="default"
        leftSection={<Icon size={14} />}
        loading={show.isPending}
        onClick={() => (shown === undefined ? show.mutate() : onShow(undefined))}
      >
        {shown === undefined ? 'Reveal secret' : 'Hide secret'}
      </Button>
      <Button
        variant="default"
        aria-label="Copy secret"
        leftSection={<IconCopy size={14} />}
        loading={copy.isPending}
        onClick={() => copy.mutate()}
      >
        <span aria-live="polite">{copyLabel}</span>
      </Button>
    </>
  );
}

interface RotateSecretProps {
  rotate: () => Promise<string>;
  apiCall: ApiCall;
  onRotated: (secret: string) => void;
  onClose: () => void;
}

function RotateSecret({ rotate, apiCall, onRotated, onClose }: RotateSecretProps) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <Stack gap="md">
        <Text size="sm">This secret signs everything from now on. Put it into your endpoint.</Text>
        <CodeBlock text={secret} label="New signing secret" testId="new-secret" />
        <Group justify="flex-end" gap="xs">
          <CopyButton text={secret} label="Copy secret" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Question
      confirm="Rotate secret"
      apiCall={apiCall}
      act={rotate}
      onDone={(rotated) => {
        setSecret(rotated);
        onRotated(rotated);
      }}
      onClose={onClose}
    >
      <Notice tone="warn">
        The old secret ends at once. There is no time in which both are valid: every delivery from now on,
        also a new try of an earlier one, is signed with the new secret only. Until your endpoint has it, its
        check of signatures fails.
      </Notice>
    </Question>
  );
}
