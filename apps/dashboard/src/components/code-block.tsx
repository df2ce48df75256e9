import styles from './code-block.module.css';

/** Preformatted text: wrapped, scrolling when long, selectable, reachable by keyboard. */
export function CodeBlock({ text, label, testId }: { text: string; label: string; testId?: string }) {
  return (
    <div className={styles['block']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard */}
      <pre className={styles['text']} aria-label={label} tabIndex={0} data-testid={testId}>
        {text}
      </pre>
    </div>
  );
}
