import { Modal, Skeleton, type ModalProps } from '@mantine/core';
import { Suspense } from 'react';

/** A dialog whose content is lazy: it is loaded when the dialog opens. `height` is the room that it takes then, in pixels. */
export const LateModal = ({ height, children, ...modal }: ModalProps & { height: number }) => (
  <Modal {...modal}>
    <Suspense fallback={<Skeleton height={height} aria-busy />}>{children}</Suspense>
  </Modal>
);
