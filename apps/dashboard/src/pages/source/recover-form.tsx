import { Checkbox, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Notice } from '../../components/notice.tsx';
import type { Recovery } from '../../trpc.ts';
import { instantToZonedTime, localTimeZone, zonedTimeToInstant } from '../../zoned-time.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';
import { RecoveryPreview, usePreview } from './recovery-preview.tsx';
import { totalText } from './recovery-text.ts';
import styles from './recovery.module.css';
import { SinceField } from './since-field.tsx';
import { sourceApiCall } from './source-api-call.ts';
import type { RecoveryRequest } from './source-calls.ts';
import { offReasonOf, type Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';

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
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (request) mutate(request);
      }}
    >
      <Stack gap="md">
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
        {error ? <FailureNotice error={error} /> : null}
        <FormActions
          submit={found && found.total > 0 ? `Send ${totalText(found)} again` : 'Send again'}
          isPending={isPending}
          isDisabled={offReason !== undefined || !found || found.total === 0}
          apiCall={request && sourceApiCall(source, 'recover', { body: request })}
          onCancel={onClose}
        />
      </Stack>
    </form>
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
