import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import type { Registration, Webinar } from '../../../trpc.ts';
import { JoinLink } from './join-link.tsx';
import { useSlots } from './use-registrations.ts';

// The form checks with the schemas of the API, which the list does not need.
const RegisterForm = lazy(async () => ({ default: (await import('./register-form.tsx')).RegisterForm }));

interface RegisterDialogProps {
  webinar: Webinar;
  isOpen: boolean;
  onClose: () => void;
}

export function RegisterDialog({ isOpen, ...props }: RegisterDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title="Register attendee">
      {isOpen ? <Register {...props} /> : null}
    </Modal>
  );
}

function Register({ webinar, onClose }: Omit<RegisterDialogProps, 'isOpen'>) {
  const [registered, setRegistered] = useState<Registration>();
  const { data: slots, error, refetch } = useSlots(webinar.id);
  if (registered) {
    return (
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <strong>{registered.name}</strong> is registered for{' '}
          <SessionTime at={registered.sessionTime} timeZone={webinar.timezone} />. Send them this link: the
          service sends no e-mail.
        </Text>
        <JoinLink url={registered.joinUrl} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => setRegistered(undefined)}>
            Register another
          </Button>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  if (error && !slots) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (slots?.length === 0)
    return (
      <Notice tone="info">This webinar has no upcoming session, so registration is not possible.</Notice>
    );
  const waiting = <Skeleton height={260} />;
  return (
    <Suspense fallback={waiting}>
      {slots ? (
        <RegisterForm webinar={webinar} slots={slots} onClose={onClose} onRegistered={setRegistered} />
      ) : (
        waiting
      )}
    </Suspense>
  );
}
