import { useEffect, type KeyboardEvent } from 'react';

/**
 * Props of a drawer in which dialogs can open. Mantine closes every open drawer and dialog at once on Escape. With these, Escape
 * closes the drawer only when it was pressed inside of it, and not in an open list of a select.
 */
export function useOwnEscape(isOpen: boolean, onClose: () => void) {
  useEffect(() => {
    // A button that disappears when it is pressed leaves the focus on the body.
    const onKey = ({ key, target }: globalThis.KeyboardEvent): void => {
      const isAlone = document.querySelectorAll('[role="dialog"]').length === 1;
      if (isOpen && key === 'Escape' && target === document.body && isAlone) onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, onClose]);
  return {
    closeOnEscape: false,
    onKeyDown({ key, nativeEvent, target, currentTarget }: KeyboardEvent<HTMLElement>) {
      if (key !== 'Escape' || nativeEvent.isComposing || !(target instanceof Element)) return;
      const isInList = target.getAttribute('data-mantine-stop-propagation') === 'true';
      if (!isInList && currentTarget.contains(target)) onClose();
    },
  };
}
