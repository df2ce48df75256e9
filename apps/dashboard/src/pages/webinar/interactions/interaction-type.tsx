import type { InteractionType } from '@service/webinars/inputs';
import styles from './interactions.module.css';
import { typeLooks } from './interaction-types.ts';

/** The type by icon, word and colour. */
export function TypeMark({ type }: { type: InteractionType }) {
  const { icon: Icon, word, tone } = typeLooks[type];
  return (
    <span className={styles['type']} style={{ '--tone': tone }}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  );
}
