import { ActionIcon, Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown, IconChevronUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { SettingsGroup } from '../../../components/section.tsx';
import { instantToZonedTime } from '../../../zoned-time.ts';
import { RecurrenceFields } from './recurrence-fields.tsx';
import styles from '../../../components/item-list.module.css';
import { recurrenceText } from './recurrence-text.ts';
import { toRecurrence, type RecurrenceValues, type ScheduleValues } from './schedule-values.ts';

interface RecurrenceListProps {
  form: UseFormReturnType<ScheduleValues>;
  timezone: string;
  /** The recurrence whose fields are shown. */
  open: number | undefined;
  onOpen: (index: number | undefined) => void;
}

const recurrencesMax = 50;
const weekMs = 7 * 24 * 3_600_000;

export function RecurrenceList({ form, timezone, open, onOpen }: RecurrenceListProps) {
  const { recurrences } = form.values.schedule;
  const add = () => {
    form.insertListItem('schedule.recurrences', nextWeek(timezone));
    onOpen(recurrences.length);
  };
  return (
    <SettingsGroup title="Dates" text={`Sessions start at these times in ${timezone}.`}>
      <ul className={styles['list']}>
        {recurrences.map((recurrence, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a recurrence has no id
          <li key={index} className={styles['item']}>
            <RecurrenceItem
              form={form}
              index={index}
              recurrence={recurrence}
              isOpen={open === index || hasProblem(form, index)}
              onToggle={() => onOpen(open === index ? undefined : index)}
              onRemove={() => {
                form.removeListItem('schedule.recurrences', index);
                onOpen(undefined);
              }}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} />}
          data-path="schedule"
          onClick={add}
          disabled={recurrences.length >= recurrencesMax}
        >
          Add a date
        </Button>
      </div>
    </SettingsGroup>
  );
}

interface RecurrenceItemProps {
  form: UseFormReturnType<ScheduleValues>;
  index: number;
  recurrence: RecurrenceValues;
  isOpen: boolean;
  onToggle: () => void;
  onRemove: () => void;
}

function RecurrenceItem({ form, index, recurrence, isOpen, onToggle, onRemove }: RecurrenceItemProps) {
  const text = recurrenceText(toRecurrence(recurrence));
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={550}>
          {text}
        </Text>
        <Group gap={4} wrap="nowrap">
          <ActionIcon aria-label={`Edit: ${text}`} aria-expanded={isOpen} onClick={onToggle}>
            <Icon size={16} />
          </ActionIcon>
          <ActionIcon aria-label={`Remove: ${text}`} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {isOpen ? <RecurrenceFields form={form} index={index} recurrence={recurrence} /> : null}
    </>
  );
}

const hasProblem = ({ errors }: UseFormReturnType<ScheduleValues>, index: number): boolean =>
  Object.keys(errors).some((path) => path.startsWith(`schedule.recurrences.${index}.`));

/** Once, on this weekday of next week at 18:00 in the zone of the webinar. */
function nextWeek(timezone: string): RecurrenceValues {
  const startDate = instantToZonedTime(Date.now() + weekMs, timezone).slice(0, 10);
  return { frequency: 'once', daysOfWeek: [], dayOfMonth: '', time: '18:00', startDate, endDate: '' };
}
