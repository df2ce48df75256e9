import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { sessionTimes } from '../session-times.ts';
import { localTimeZone, zonedTimeToInstant } from '../zoned-time.ts';

interface SessionTimeFieldProps {
  label: string;
  /** The value of a `datetime-local` input, in the webinar's zone. */
  value: string;
  onChange: (value: string) => void;
  timeZone: string;
  error?: ReactNode;
}

/** A session's start in the zone of its webinar, with the same moment in the reader's zone below. */
export function SessionTimeField({ label, value, onChange, timeZone, error }: SessionTimeFieldProps) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      description={zoneText(value, timeZone)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data-autofocus
      autoFocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}

function zoneText(value: string, timeZone: string): string {
  const zone = `Time zone of the webinar: ${timeZone}.`;
  if (value === '') return zone;
  const at = zonedTimeToInstant(value, timeZone);
  const { own, webinar } = sessionTimes(at, {
    webinarZone: timeZone,
    readerZone: localTimeZone(),
    thisYear: String(new Date().getFullYear()),
  });
  return webinar === undefined ? `${zone} It is also yours.` : `${zone} In yours it is ${own}.`;
}
