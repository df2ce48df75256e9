// The search is loaded when a person opens it for the first time.

const opening = new EventTarget();

export const openPalette = () => {
  opening.dispatchEvent(new Event('open'));
};

/** Returns the function that ends it. */
export function onOpenPalette(listener: () => void): () => void {
  opening.addEventListener('open', listener);
  return () => opening.removeEventListener('open', listener);
}
