import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSend } from '@service/icons';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { RegistrationPicker } from '../automations/registration-picker.tsx';
import type { MailSettings } from './mail-texts.ts';
import styles from './mails.module.css';

interface MailPreviewProps {
  webinarId: string;
  mail: Pick<MailSettings, 'kind' | 'minutesBefore'> | { kind: 'rule'; purpose: 'service' | 'marketing' };
  /** The texts of the form. */
  draft: { subject: string; text: string };
}

const pauseMs = 400;

/** The e-mail as one person gets it, with the changes that are not saved, and a test to oneself. */
export function MailPreview({ webinarId, mail, draft }: MailPreviewProps) {
  const { mails } = useTRPCClient();
  const [part, setPart] = useState('html');
  const [registrationId, setRegistrationId] = useShownRegistration(webinarId);
  const [settled] = useDebouncedValue(JSON.stringify(draft), pauseMs);
  const which = whichOf(webinarId, mail);
  const { data, error } = useQuery({
    queryKey: ['mail preview', which, registrationId, settled],
    queryFn: ({ signal }) =>
      mails.preview.mutate(
        { ...which, draft: JSON.parse(settled), ...(registrationId && { registrationId }) },
        { signal },
      ),
    enabled: registrationId !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const preview = data?.data;
  return (
    <section aria-label="Preview" className={styles['preview']}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={3}>Preview</Title>
        <SegmentedControl
          aria-label="Format"
          size="xs"
          data={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Text' },
          ]}
          value={part}
          onChange={setPart}
        />
      </Group>
      <Stack gap="sm">
        <RegistrationPicker
          webinarId={webinarId}
          label="As this person gets it"
          value={registrationId ?? undefined}
          onChange={(chosen) => setRegistrationId(chosen ?? null)}
        />
        {registrationId === null ? (
          <Text size="xs" c="dimmed">
            No person is chosen, so the variables have sample values.
          </Text>
        ) : null}
        {error ? <FailureNotice error={error} /> : null}
        {preview ? (
          <div className={styles['mail']}>
            <div className={styles['head']} data-testid="mail-subject">
              {preview.subject}
            </div>
            {part === 'html' ? (
              <iframe
                className={styles['html']}
                title="HTML of the e-mail"
                sandbox=""
                srcDoc={preview.html}
              />
            ) : (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
              <pre className={styles['text']} aria-label="Text of the e-mail" tabIndex={0}>
                {preview.text}
              </pre>
            )}
          </div>
        ) : null}
        {!preview && !error ? <Skeleton height={320} aria-busy /> : null}
        <TestMail which={which} draft={draft} />
      </Stack>
    </section>
  );
}

/** The service refuses a field that is undefined. */
function whichOf(webinarId: string, mail: MailPreviewProps['mail']) {
  if (mail.kind === 'rule') return { webinarId, ...mail };
  const { kind, minutesBefore } = mail;
  return { webinarId, kind, ...(minutesBefore !== undefined && { minutesBefore }) };
}

/** At first the newest registration. Null without registrations, and when the reader cleared the choice. */
function useShownRegistration(webinarId: string) {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState<string | null>();
  const { data } = useQuery(trpc.registrations.list.queryOptions({ webinarId, limit: 1 }));
  const newest = data && (data.data[0]?.id ?? null);
  return [chosen === undefined ? newest : chosen, setChosen] as const;
}

interface TestMailProps {
  which: ReturnType<typeof whichOf>;
  draft: MailPreviewProps['draft'];
}

/** Sends the e-mail of the form to the reader, and shows the answer of the provider. */
export function TestMail({ which, draft }: TestMailProps) {
  const { mails } = useTRPCClient();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => mails.sendTest.mutate({ ...which, draft }),
  });
  return (
    <>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconSend size={14} />}
          loading={isPending}
          onClick={() => mutate()}
        >
          Send a test to me
        </Button>
        <Text size="xs" c="dimmed">
          With sample values.
        </Text>
      </Group>
      <div role="status">
        {error ? <FailureNotice error={error} /> : null}
        {data && !isPending ? <TestAnswer {...data.data} /> : null}
      </div>
    </>
  );
}

function TestAnswer({ to, outcome, reason }: { to: string; outcome: string; reason: string | null }) {
  if (outcome === 'sent') return <Notice tone="info">The test to {to} was accepted.</Notice>;
  return (
    <Notice tone="warn">
      <Text size="sm">
        {outcome === 'uncertain'
          ? `The answer of the provider was lost. The test to ${to} may still arrive.`
          : `The test to ${to} was not sent. The provider says:`}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
    </Notice>
  );
}
