import { Button, TextInput } from '@mantine/core';
import { instantToZonedTime, localTimeZone } from '../../zoned-time.ts';
import styles from './recovery.module.css';

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
export function SinceField({ value, onChange }: SinceFieldProps) {
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
