import type { SentencePart } from '@service/conditions';
import styles from './sentence.module.css';

/** A sentence whose values are set apart from its words. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <span className={styles['sentence']}>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- parts have no identity
          <span key={index} className={styles[part.isMissing ? 'missing' : 'value']}>
            {part.text}
          </span>
        ),
      )}
    </span>
  );
}
