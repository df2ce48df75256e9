import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import styles from './message-card.module.css';

interface MessageCardProps {
  icon: ReactNode;
  tone?: 'brand' | 'quiet';
  title: string;
  text?: ReactNode;
  children?: ReactNode;
  /** True if the card replaces a page that the visitor has used: its heading takes the focus. */
  isAnswer?: boolean;
}

/** One message in the middle of a page, with the steps that follow from it. */
export function MessageCard({
  icon,
  tone = 'quiet',
  title,
  text,
  children,
  isAnswer = false,
}: MessageCardProps) {
  const heading = useFocusedHeading(isAnswer);
  return (
    <section className={styles['card']}>
      <span className={styles['icon']} data-tone={tone} aria-hidden="true">
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      {text !== undefined && <p className={styles['text']}>{text}</p>}
      {children}
    </section>
  );
}

/** A heading that takes the focus when it appears, so that screen readers read the new page from its beginning. */
function useFocusedHeading(isFocused: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [isFocused]);
  return heading;
}
