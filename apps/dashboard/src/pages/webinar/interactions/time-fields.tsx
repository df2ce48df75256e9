import { Checkbox, Group, Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { PositionField } from '../../../components/number-field.tsx';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { InteractionValues } from './form-values.ts';
import type { WebinarParts } from './interactions-section.tsx';
import styles from './interactions.module.css';
import { warningsOf } from './warnings.ts';

interface TimeFieldsProps extends WebinarParts {
  form: UseFormReturnType<InteractionValues>;
  /** Absent for a new one. */
  storedId: string | undefined;
  /** The length of the chosen video. */
  durationSeconds: number;
}

const displays = [
  { value: 'popup', label: 'Pop-up over the video' },
  { value: 'panel', label: 'In the panel beside the video' },
  { value: 'banner', label: 'Banner under the video' },
];

/** The time and the place at which attendees see it. */
export function TimeFields({ form, storedId, durationSeconds, interactions, segments }: TimeFieldsProps) {
  const warnings = draftWarnings({ form, storedId, durationSeconds, interactions });
  return (
    <Stack gap="xs">
      {segments.length > 0 ? (
        <Select
          label="Segment"
          data={[
            { value: '', label: 'No segment' },
            ...segments.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          allowDeselect={false}
          {...form.getInputProps('segmentId')}
          value={form.values.segmentId ?? ''}
          onChange={(id) => form.setFieldValue('segmentId', id || null)}
        />
      ) : null}
      <Group gap="sm" align="flex-start" grow>
        <PositionField
          label="Appears at"
          description={`1:30, of ${formatPosition(durationSeconds)}`}
          {...form.getInputProps('showAtSeconds')}
        />
        <PositionField
          label="Disappears at"
          description="Empty: it stays"
          placeholder="At the end"
          {...form.getInputProps('hideAtSeconds')}
        />
      </Group>
      <div role="status">
        {warnings.map((warning) => (
          <span key={warning} className={styles['warning']}>
            <IconAlertTriangle size={13} aria-hidden />
            {warning}
          </span>
        ))}
      </div>
      <Select label="Place" data={displays} allowDeselect={false} {...form.getInputProps('display')} />
      <Checkbox label="Attendees can close it" {...form.getInputProps('dismissible', { type: 'checkbox' })} />
      <Checkbox
        label="Also shown in the replay"
        {...form.getInputProps('availableInReplay', { type: 'checkbox' })}
      />
    </Stack>
  );
}

type DraftParts = Pick<TimeFieldsProps, 'form' | 'storedId' | 'durationSeconds' | 'interactions'>;

/** The warnings that the typed times would have in the list. None while a time is not readable. */
function draftWarnings({ form, storedId, durationSeconds, interactions }: DraftParts): readonly string[] {
  const { segmentId, internalName, display, enabled, ...times } = form.values;
  const showAtSeconds = parsePosition(times.showAtSeconds);
  const hideAtSeconds = times.hideAtSeconds.trim() === '' ? null : parsePosition(times.hideAtSeconds);
  if (showAtSeconds === undefined || hideAtSeconds === undefined) return [];
  const id = storedId ?? 'new';
  const others = interactions.filter((other) => other.id !== storedId && other.segmentId === segmentId);
  const draft = { id, internalName, display, enabled, showAtSeconds, hideAtSeconds };
  // A start after the end of the video is refused, and its field says so.
  return showAtSeconds < durationSeconds
    ? (warningsOf([draft, ...others], durationSeconds).get(id) ?? [])
    : [];
}
