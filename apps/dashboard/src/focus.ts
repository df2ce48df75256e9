import type { SyntheticEvent } from 'react';

/** After a refused submit: focuses the first field with a problem, as the page shows them. For the second argument of `onSubmit`. */
export function focusFirstProblem(_errors: unknown, _values: unknown, event?: SyntheticEvent | null): void {
  const form = event?.currentTarget;
  // The fields are marked in the next paint.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** Focuses the content of the page when the control that had the focus is gone. Otherwise Tab would begin at the top of the page. */
export function focusContentIfLost(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus();
}
