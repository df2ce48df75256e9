import { Checkbox, Group, Select, Stack } from '@mantine/core';
import type { InteractionType } from '@service/webinars/inputs';
import { IconAlertTriangle } from '@service/icons';
import { PositionField } from '../../../components/number-field.tsx';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { WebinarParts } from './interactions-section.tsx';
import styles from './interactions.module.css';
import type { FieldsProps } from './type-fields.tsx';
import { warningsOf } from './warnings.ts';

interface TimeFieldsProps extends WebinarParts, FieldsProps {
  type: InteractionType;
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
export function TimeFields(props: TimeFieldsProps) {
  const { form, field, segments, durationSeconds } = props;
  const warnings = draftWarnings(props);
  return (
    <Stack gap="xs">
      {segments.length > 0 ? (
        <Select
          {...field('segmentId')}
          data={[
            { value: '', label: 'No segment' },
            ...segments.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          allowDeselect={false}
          value={form.values.segmentId ?? ''}
          onChange={(id) => form.setFieldValue('segmentId', id || null)}
        />
      ) : null}
      <Group gap="sm" align="flex-start" grow>
        <PositionField
          {...field('showAtSeconds')}
          description={`The video ends at ${formatPosition(durationSeconds)}.`}
        />
        <PositionField {...field('hideAtSeconds')} description="Empty: it stays." placeholder="At the end" />
      </Group>
      <div role="status">
        {warnings.map((warning) => (
          <span key={warning} className={styles['warning']}>
            <IconAlertTriangle size={13} aria-hidden />
            {warning}
          </span>
        ))}
      </div>
      <Select {...field('display')} data={displays} allowDeselect={false} />
      <Checkbox {...field('dismissible', 'checkbox')} />
      <Checkbox {...field('availableInReplay', 'checkbox')} />
    </Stack>
  );
}

/** The warnings that the typed times would have in the list. None while a time is not readable. */
function draftWarnings({
  type,
  form,
  storedId,
  durationSeconds,
  interactions,
}: TimeFieldsProps): readonly string[] {
  const { segmentId, internalName, display, enabled, ...times } = form.values;
  const showAtSeconds = parsePosition(times.showAtSeconds);
  const hideAtSeconds = times.hideAtSeconds.trim() === '' ? null : parsePosition(times.hideAtSeconds);
  if (showAtSeconds === undefined || hideAtSeconds === undefined) return [];
  // A new one gets the highest id.
  const id = storedId ?? 'new';
  const others = interactions.filter((other) => other.id !== storedId && other.segmentId === segmentId);
  const draft = { id, type, internalName, display, enabled, showAtSeconds, hideAtSeconds };
  // A start after the end of the video is refused, and its field says so.
  return showAtSeconds < durationSeconds
    ? (warningsOf([draft, ...others], durationSeconds).get(id) ?? [])
    : [];
}
