import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import styles from './copy-link.module.css';

const copiedMs = 3000;

/** A link with a button that copies it. Where a browser refuses that, as in a frame, the link is selected. */
export function CopyLink({ url }: { url: string }) {
  const { confirmed } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(): Promise<void> {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      input.current?.focus();
    }
  }

  return (
    <div className={styles['link']}>
      <label className={styles['label']} htmlFor={id}>
        {confirmed.linkTitle}
      </label>
      <div className={styles['row']}>
        <input
          ref={input}
          id={id}
          className={styles['input']}
          readOnly
          value={url}
          aria-describedby={`${id}-note`}
        />
        <button type="button" className="button-quiet" onClick={() => void copy()}>
          {isCopied ? <IconCheck size={18} aria-hidden="true" /> : <IconCopy size={18} aria-hidden="true" />}
          <span aria-live="polite">{isCopied ? confirmed.copied : confirmed.copy}</span>
        </button>
      </div>
      <p id={`${id}-note`} className={styles['note']}>
        {confirmed.linkNote}
      </p>
    </div>
  );
}
