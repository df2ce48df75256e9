import './choices.css';
import { NumberInput, TextInput, type NumberInputProps, type TextInputProps } from '@mantine/core';
import { formatPosition, parsePosition, positionText } from '../time-text.ts';

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

interface PositionFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'description'> {
  example?: string;
  /** A sentence below the field. */
  description?: string;
  /** A field of a Mantine form has both from `getInputProps`. */
  value?: string;
  onChange?: (text: string) => void;
}

/**
 * A position in a video, written as 90, 1:30 or 1:02:03. It says how the text was read, and an example while it is not. On leaving the
 * field the text is written the usual way.
 */
export function PositionField({
  value = '',
  onChange,
  onBlur,
  example = '1:30',
  description,
  ...props
}: PositionFieldProps) {
  const read = parsePosition(value);
  const reading = read === undefined ? `For example ${example}.` : `${positionText(read)}.`;
  return (
    <TextInput
      autoComplete="off"
      description={description ? `${reading} ${description}` : reading}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onBlur={(event) => {
        if (read !== undefined) onChange?.(formatPosition(read));
        onBlur?.(event);
      }}
    />
  );
}
