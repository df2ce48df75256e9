import type { KeyboardEvent } from 'react';

/**
 * Props of a drawer in which dialogs can open. Mantine closes every open drawer and dialog at once on Escape. With these, Escape
 * closes the drawer only when it was pressed inside of it, and not in an open list of a select.
 */
export const ownEscape = (onClose: () => void) => ({
  closeOnEscape: false,
  onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { target, currentTarget } = event;
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || !(target instanceof Element)) return;
    const isInList = target.getAttribute('data-mantine-stop-propagation') === 'true';
    if (!isInList && currentTarget.contains(target)) onClose();
  },
});
