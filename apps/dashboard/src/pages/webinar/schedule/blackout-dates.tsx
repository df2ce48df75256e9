import '@mantine/dates/styles.layer.css';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconX } from '@service/icons';
import { useRef } from 'react';
import { SettingsGroup } from '../../../components/section.tsx';
import { IconAction } from '../icon-actions.tsx';
import { formatDay } from './recurrence-text.ts';
import {
  allBlackoutDates,
  blackoutsMax,
  daysInOrder,
  daysOf,
  noRange,
  rangesOf,
  type DayRange,
  type ScheduleFieldsProps,
} from './schedule-values.ts';
import styles from './schedule.module.css';

const path = 'schedule.blackoutDates';

/** Days without sessions: picked in a calendar, or typed as a range. */
export function BlackoutDates({ form }: Pick<ScheduleFieldsProps, 'form'>) {
  const { blackoutDates: dates, typedBlackout = noRange } = form.values.schedule;
  const { first, last } = typedBlackout;
  const addButton = useRef<HTMLButtonElement>(null);
  const type = (range: DayRange) => form.setFieldValue('schedule.typedBlackout', range);
  const set = (chosen: readonly string[]) => form.setFieldValue(path, daysInOrder(chosen));
  const added = daysOf(first, last || first);
  const problem = problemOf(first, added.length, dates.length);
  const add = () => {
    if (added.length === 0 || problem !== undefined) return;
    set(allBlackoutDates(form.values.schedule));
    type(noRange);
  };
  const remove = (range: DayRange) => {
    set(dates.filter((one) => one < range.first || one > range.last));
    addButton.current?.focus();
  };
  return (
    <SettingsGroup
      title="Days without sessions"
      text="Recurring and just-in-time sessions do not start on these days, such as holidays."
    >
      <div className={styles['columns']}>
        <DatePicker
          type="multiple"
          value={[...dates]}
          onChange={set}
          firstDayOfWeek={1}
          weekendDays={[]}
          hideOutsideDates
          ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
        />
        <div className={styles['chosen']}>
          <Group gap="xs" align="flex-start">
            <TextInput
              label="First day without sessions"
              type="date"
              data-path={path}
              error={form.errors[path]}
              value={first}
              onChange={({ currentTarget }) => type({ first: currentTarget.value, last })}
            />
            <TextInput
              label="Last day without sessions"
              description="Empty: one day only."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="date"
              value={last}
              onChange={({ currentTarget }) => type({ first, last: currentTarget.value })}
              error={problem}
            />
            <Button ref={addButton} variant="default" onClick={add} mt={24}>
              {added.length > 1 ? `Add ${added.length} days` : 'Add'}
            </Button>
          </Group>
          <ul className={styles['list']}>
            {rangesOf(dates).map((range) => (
              <li key={range.first} className={styles['blackout']}>
                <Text size="sm">{rangeText(range)}</Text>
                <IconAction
                  icon={IconX}
                  label={`Remove ${rangeText(range)}`}
                  iconSize={14}
                  onClick={() => remove(range)}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </SettingsGroup>
  );
}

function problemOf(first: string, added: number, present: number): string | undefined {
  if (first !== '' && added === 0) return 'Must not be before the first day.';
  return added + present > blackoutsMax
    ? `A schedule has at most ${blackoutsMax} days without sessions.`
    : undefined;
}

/** "Thu, 24 Dec 2026 to Sat, 2 Jan 2027" */
function rangeText({ first, last }: { first: string; last: string }): string {
  const [from, to] = [first, last].map((day) => formatDay(day, { weekday: 'short', month: 'short' }));
  return first === last ? from! : `${from} to ${to}`;
}
