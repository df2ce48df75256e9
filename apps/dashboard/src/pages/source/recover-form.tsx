import { Button, Checkbox, Group, Loader, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../components/dialog-form.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { DueTime } from '../../components/relative-time.tsx';
import type { Recovery } from '../../trpc.ts';
import { instantToZonedTime, localTimeZone, zonedTimeToInstant } from '../../zoned-time.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';
import { totalText, verbOf, waitingText } from './recovery-text.ts';
import styles from './recovery.module.css';
import { offReasonOf, type Source, type SourceRef } from './source.ts';
import { sourceApiCall, useSourceCalls, type RecoveryRequest } from './use-source.ts';

type Status = Recovery['statuses'][number];

const statuses: readonly { value: Status; label: string }[] = [
  { value: 'failure', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'success', label: 'Delivered' },
];

const dayMs = 24 * 3_600_000;

interface RecoverFormProps {
  source: Source;
  onMade: (recovery: Recovery) => void;
  onClose: () => void;
}

/** Selects deliveries to send again, and shows their number before anything is sent. */
export function RecoverForm({ source, onMade, onClose }: RecoverFormProps) {
  const [since, setSince] = useState(() => instantToZonedTime(Date.now() - dayMs, localTimeZone()));
  const [chosen, setChosen] = useState<Status[]>(['failure']);
  const [types, setTypes] = useState<readonly EventType[]>(source.eventTypes);
  const request = requestOf(source, { since, chosen, types });
  const preview = usePreview(source, request);
  const { createRecovery, invalidate } = useSourceCalls(source);
  const { mutate, isPending, error } = useMutation({
    mutationFn: createRecovery,
    onSuccess: async ({ data }) => {
      await invalidate();
      onMade(data);
    },
  });
  const offReason = offReasonOf(source);
  const found = preview.isCurrent ? preview.data?.data : undefined;
  return (
    <DialogForm
      error={error}
      submit={found && found.total > 0 ? `Send ${totalText(found)} again` : 'Send again'}
      isPending={isPending}
      isDisabled={offReason !== undefined || !found || found.total === 0}
      apiCall={request && sourceApiCall(source, 'recover', { body: request })}
      onSubmit={() => {
        if (request) mutate(request);
      }}
      onCancel={onClose}
    >
      <SinceField value={since} onChange={setSince} />
      <Checkbox.Group label="Status" value={chosen} onChange={setChosen}>
        <Group gap="md">
          {statuses.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      {source.eventTypes.length > 1 ? (
        <Checkbox.Group label="Event types" value={[...types]} onChange={setTypes}>
          <div className={styles['types']}>
            {source.eventTypes.map((type) => (
              <Checkbox key={type} value={type} label={<code>{type}</code>} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
      <RecoveryPreview request={request} preview={preview} />
      {source.isHalted ? (
        <Notice tone="warn">Deliveries are halted: they wait until you resume them.</Notice>
      ) : source.health.status === 'paused' ? (
        <Notice tone="warn">Deliveries are paused: they wait until the endpoint answers.</Notice>
      ) : null}
      {offReason === undefined ? null : <Notice tone="info">{offReason}</Notice>}
    </DialogForm>
  );
}

interface Choice {
  since: string;
  chosen: readonly Status[];
  types: readonly EventType[];
}

/** Undefined while the selection is incomplete. All types of a source include types that it had earlier. */
function requestOf({ eventTypes }: Source, { since, chosen, types }: Choice): RecoveryRequest | undefined {
  if (since === '' || chosen.length === 0 || types.length === 0) return undefined;
  return {
    since: zonedTimeToInstant(since, localTimeZone()),
    // Sorted, so that the same selection is the same query.
    statuses: statuses.map(({ value }) => value).filter((value) => chosen.includes(value)),
    ...(types.length < eventTypes.length && {
      eventTypes: eventTypes.filter((type) => types.includes(type)),
    }),
  };
}

const typingMs = 250;

/** The number of deliveries that a recovery would send. Counted again when the selection changes. */
function usePreview(source: SourceRef, request: RecoveryRequest | undefined) {
  const { previewRecovery, keyOf } = useSourceCalls(source);
  const text = request && JSON.stringify(request);
  const [requested] = useDebouncedValue(text, typingMs);
  const query = useQuery({
    queryKey: keyOf('preview', requested),
    queryFn: ({ signal }) => previewRecovery(JSON.parse(requested!) as RecoveryRequest, signal),
    enabled: requested !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  /** True when the count belongs to the current selection. */
  return { ...query, isCurrent: requested === text && text !== undefined && !query.isPlaceholderData };
}

interface RecoveryPreviewProps {
  request: RecoveryRequest | undefined;
  preview: ReturnType<typeof usePreview>;
}

function RecoveryPreview({ request, preview: { data, error, isCurrent, refetch } }: RecoveryPreviewProps) {
  if (!request) {
    return (
      <div className={styles['preview']} data-stale>
        Choose a time and the deliveries to send again.
      </div>
    );
  }
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles['preview']} data-stale>
        <Loader size={14} mr={8} /> Counting…
      </div>
    );
  }
  const { total, waiting } = data.data;
  const waitingCount = waiting.queued + waiting.retrying;
  return (
    <div className={styles['preview']} data-stale={!isCurrent || undefined} aria-live="polite">
      {/* One element, because the parts of a text are columns there. */}
      <span>
        {total === 0
          ? nothingText(waitingCount)
          : `${firstUpper(totalText(data.data))} will be sent again, each as a new delivery marked is_refire.`}{' '}
        {waitingCount === 0 ? null : (
          <>
            {firstUpper(waitingText(waitingCount))} of that time still {verbOf(waitingCount)}
            {waiting.nextAttemptAt === null ? null : (
              <>
                , the next try <DueTime at={waiting.nextAttemptAt} />
              </>
            )}
            . “Send all that wait now” sends them.
          </>
        )}
      </span>
    </div>
  );
}

const nothingText = (waiting: number): string =>
  waiting === 0
    ? 'Nothing to send again: no delivery since then has this status, or its message was delivered later.'
    : 'Nothing to recover.';

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const hourMs = 3_600_000;

const presets = [
  { label: 'Last hour', agoMs: hourMs },
  { label: '24 hours', agoMs: 24 * hourMs },
  { label: '7 days', agoMs: 7 * 24 * hourMs },
];

interface SinceFieldProps {
  /** The value of a `datetime-local` input, in the time zone of the browser. */
  value: string;
  onChange: (value: string) => void;
}

/** The start of the range: a time, or a usual one by a click. */
function SinceField({ value, onChange }: SinceFieldProps) {
  const zone = localTimeZone();
  return (
    <div>
      <TextInput
        label="Since"
        description={`In your time zone, ${zone}.`}
        type="datetime-local"
        data-autofocus
        autoFocus
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={styles['presets']}>
        {presets.map(({ label, agoMs }) => (
          <Button
            key={label}
            variant="default"
            size="compact-xs"
            onClick={() => onChange(instantToZonedTime(Date.now() - agoMs, zone))}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
