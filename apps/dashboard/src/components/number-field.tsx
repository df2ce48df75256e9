import './choices.css';
import { NumberInput, type NumberInputProps } from '@mantine/core';

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
