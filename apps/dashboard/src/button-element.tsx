import type { ComponentProps, MouseEvent } from 'react';

interface ButtonElementProps extends ComponentProps<'button'> {
  /** Mantine sets it while `loading` is true. */
  'data-loading'?: boolean;
}

/**
 * The element of every Button and ActionIcon. Mantine disables a button that loads, and a browser takes the focus from a disabled
 * element. This element stays enabled while it loads, is busy for screen readers, and ignores clicks. A browser makes a click of Enter
 * and Space, and of Enter in a field of the form, so nothing is sent twice.
 */
export function ButtonElement({ type = 'button', ...props }: ButtonElementProps) {
  const loading = props['data-loading'] ? whileLoading : {};
  return <button type={type} {...props} {...loading} />;
}

const whileLoading = { disabled: false, 'aria-disabled': true, 'aria-busy': true, onClick: ignore };

function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
