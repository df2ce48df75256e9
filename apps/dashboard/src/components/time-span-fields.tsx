import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { instantToZonedTime, localTimeZone, zonedTimeToInstant } from '../zoned-time.ts';

interface TimeSpanFieldsProps {
  /** ISO 8601. */
  from: string;
  to: string;
  onChange: (change: { from: string; to: string }) => void;
}

/** A time range with minutes, in the zone of the reader. It applies when a field loses the focus, and on Enter. */
export function TimeSpanFields({ from, to, onChange }: TimeSpanFieldsProps) {
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const zone = localTimeZone();
  const shown = {
    from: typed.from ?? instantToZonedTime(Date.parse(from), zone),
    to: typed.to ?? instantToZonedTime(Date.parse(to), zone),
  };
  const isBackwards = shown.from !== '' && shown.to !== '' && shown.from >= shown.to;
  const apply = () => {
    if (isBackwards || shown.from === '' || shown.to === '') return;
    if (typed.from === undefined && typed.to === undefined) return;
    onChange({
      from: typed.from === undefined ? from : zonedTimeToInstant(shown.from, zone),
      to: typed.to === undefined ? to : zonedTimeToInstant(shown.to, zone),
    });
    setTyped({});
  };
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      label={label}
      type="datetime-local"
      title={`In your time zone, ${zone}`}
      value={shown[name]}
      error={name === 'to' && isBackwards ? 'Must be after the start.' : undefined}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      onBlur={apply}
      onKeyDown={({ key }) => (key === 'Enter' ? apply() : undefined)}
    />
  );
  return (
    <>
      {field('from', 'From')}
      {field('to', 'To')}
    </>
  );
}
