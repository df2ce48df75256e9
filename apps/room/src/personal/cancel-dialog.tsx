import { useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import styles from './cancel-dialog.module.css';

interface CancelDialogProps {
  failure: string | undefined;
  onCancel: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a registration is cancelled. The browser's dialog keeps the focus inside and closes with Escape. */
export function CancelDialog({ failure, onCancel, onClose }: CancelDialogProps) {
  const { personal } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSending, setSending] = useState(false);
  const id = useId();

  useEffect(() => dialog.current?.showModal(), []);

  async function cancel(): Promise<void> {
    if (isSending) return;
    setSending(true);
    await onCancel().finally(() => setSending(false));
  }

  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{personal.cancelTitle}</h2>
      <p className={styles['text']}>{personal.cancelText}</p>
      <div role="alert">{failure !== undefined && <p className={styles['failure']}>{failure}</p>}</div>
      <div className={styles['buttons']}>
        <button type="button" className="button-quiet" onClick={() => dialog.current?.close()}>
          {personal.keep}
        </button>
        <button
          type="button"
          className={`button ${styles['danger']}`}
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
          onClick={() => void cancel()}
        >
          {isSending && <span className="spinner" aria-hidden="true" />}
          {personal.cancelSubmit}
        </button>
      </div>
    </dialog>
  );
}
