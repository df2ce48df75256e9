import { Modal, Skeleton, type ModalProps } from '@mantine/core';
import { Suspense, useState, type ReactNode } from 'react';

/** A dialog whose content is lazy: it is loaded when the dialog opens. `height` is the room that it takes then, in pixels. */
export const LateModal = ({ height, children, ...modal }: ModalProps & { height: number }) => (
  <Modal {...modal}>
    <Suspense fallback={<Skeleton height={height} aria-busy />}>{children}</Suspense>
  </Modal>
);

/** Mounts a lazy dialog when it opens first, and keeps it, so that it closes with its animation and returns the focus. */
export function FirstUse({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [isUsed, setUsed] = useState(isOpen);
  if (isOpen && !isUsed) setUsed(true);
  return isUsed ? <Suspense>{children}</Suspense> : null;
}
