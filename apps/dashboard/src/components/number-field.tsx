import './choices.css';
import { NumberInput, TextInput, type NumberInputProps, type TextInputProps } from '@mantine/core';
import { formatPosition, parsePosition } from '../time-text.ts';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** `''` for none. */
  value?: number | '';
  onChange?: (value: number | '') => void;
  /** Shows minutes for a value in seconds with 60. */
  unit?: number;
}

/** A whole number, or none. */
export function NumberField({ value = '', onChange, unit = 1, ...props }: NumberFieldProps) {
  return (
    <NumberInput
      size="sm"
      hideControls
      allowDecimal={unit > 1}
      decimalScale={2}
      allowNegative={false}
      clampBehavior="none"
      inputMode="numeric"
      {...props}
      value={value === '' ? '' : value / unit}
      onChange={(typed) => onChange?.(typed === '' ? '' : Math.round(Number(typed) * unit))}
    />
  );
}

interface PositionFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A field of a Mantine form has both from `getInputProps`. */
  value?: string;
  onChange?: (text: string) => void;
}

/** A position in a video, written as 90, 1:30 or 1:02:03. On leaving the field it is written the usual way. */
export function PositionField({ value = '', onChange, onBlur, ...props }: PositionFieldProps) {
  return (
    <TextInput
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onBlur={(event) => {
        const seconds = parsePosition(value);
        if (seconds !== undefined) onChange?.(formatPosition(seconds));
        onBlur?.(event);
      }}
    />
  );
}
