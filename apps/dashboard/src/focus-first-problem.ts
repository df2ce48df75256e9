import type { SyntheticEvent } from 'react';

/** After a refused submit: focuses the first field with a problem, as the page shows them. For the second argument of `onSubmit`. */
export function focusFirstProblem(_errors: unknown, _values: unknown, event?: SyntheticEvent | null): void {
  const form = event?.currentTarget;
  // The fields are marked in the next paint.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
