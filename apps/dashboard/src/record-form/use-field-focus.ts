import { useEffect } from 'react';

/**
 * Focuses the field that a link names, such as an entry of the publish check. `data-path` is on every input of a Mantine form;
 * a group of inputs has it too, with `tabIndex={-1}`.
 */
export function useFieldFocus(path: string | undefined, onDone: () => void): void {
  useEffect(() => {
    if (path === undefined) return;
    const node = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
    node?.focus();
    node?.scrollIntoView({ block: 'center' });
    if (node) onDone();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each link
  }, [path]);
}
