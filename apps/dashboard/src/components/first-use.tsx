import { Suspense, useState, type ReactNode } from 'react';

/** Mounts a lazy dialog when it opens first, and keeps it, so that it closes with its animation and returns the focus. */
export function FirstUse({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [isUsed, setUsed] = useState(isOpen);
  if (isOpen && !isUsed) setUsed(true);
  return isUsed ? <Suspense>{children}</Suspense> : null;
}
