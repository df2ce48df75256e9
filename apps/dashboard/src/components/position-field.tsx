import { TextInput, type TextInputProps } from '@mantine/core';
import { formatPosition, parsePosition } from '../time-text.ts';

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
