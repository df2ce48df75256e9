import '@mantine/dates/styles.layer.css';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { SettingsGroup } from '../../../components/section.tsx';
import { IconAction } from '../icon-actions.tsx';
import { formatDay } from './recurrence-text.ts';
import type { ScheduleFieldsProps } from './schedule-values.ts';
import styles from './schedule.module.css';

const path = 'schedule.blackoutDates';

/** Days without sessions: picked in a calendar, or typed. */
export function BlackoutDates({ form }: Pick<ScheduleFieldsProps, 'form'>) {
  const dates = form.values.schedule.blackoutDates;
  const [typed, setTyped] = useState('');
  const set = (chosen: readonly string[]) =>
    form.setFieldValue(
      path,
      [...new Set(chosen)].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  const add = () => {
    if (typed === '') return;
    set([...dates, typed]);
    setTyped('');
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
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label="Add a day"
              type="date"
              data-path={path}
              error={form.errors[path]}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button variant="default" onClick={add}>
              Add
            </Button>
          </Group>
          <ul className={styles['list']}>
            {dates.map((date) => (
              <li key={date} className={styles['blackout']}>
                <Text size="sm">{formatDay(date, { weekday: 'short', month: 'short' })}</Text>
                <IconAction
                  icon={IconX}
                  label={`Remove ${formatDay(date)}`}
                  iconSize={14}
                  onClick={() => set(dates.filter((one) => one !== date))}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </SettingsGroup>
  );
}
