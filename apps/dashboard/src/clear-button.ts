import type { MouseEvent } from 'react';

/** Of a Select with `clearable`. Mantine hides its clear button from the keyboard and from screen readers. */
export const clearButtonProps = (label: string) => ({
  'aria-label': label,
  'aria-hidden': false,
  tabIndex: 0,
  // The button goes with the value, and would take the focus with it.
  onClick: ({ currentTarget }: MouseEvent<HTMLElement>) =>
    currentTarget.closest('.mantine-Input-wrapper')?.querySelector('input')?.focus(),
});
