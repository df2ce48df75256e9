/** Focuses the content of the page when the control that had the focus is gone. Otherwise Tab would begin at the top of the page. */
export function focusContentIfLost(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus();
}
