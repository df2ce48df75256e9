/** Says the height of the page to the page that frames it, at each change. The snippet of the dashboard listens for it. */
export function reportHeight(element: HTMLElement): void {
  const report = (): void =>
    window.parent.postMessage({ type: 'webinar-registration-height', height: element.scrollHeight }, '*');
  new ResizeObserver(report).observe(element);
}
