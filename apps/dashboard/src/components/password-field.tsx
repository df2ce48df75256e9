import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { Ref } from 'react';

/** Mantine shows the error of a password, but does not mark the field for screen readers. */
export const PasswordField = (props: PasswordInputProps & { ref?: Ref<HTMLInputElement> }) => (
  <PasswordInput {...props} aria-invalid={props.error ? true : undefined} />
);
