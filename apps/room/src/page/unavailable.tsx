import { IconClockPause, IconError404 } from '@service/icons';
import { useEffect } from 'react';
import { MessageCard } from './message-card.tsx';
import { useTexts } from './texts.tsx';

const retryMs = 8000;

/** A page that does not exist, or one that the service cannot show at the moment. The second kind loads itself again. */
export function Unavailable({ isMissing }: { isMissing: boolean }) {
  const { problems } = useTexts();

  useEffect(() => {
    if (isMissing) return undefined;
    // Many pages may have been refused at once.
    const timer = setTimeout(() => location.reload(), retryMs + Math.random() * retryMs);
    return () => clearTimeout(timer);
  }, [isMissing]);

  return isMissing ? (
    <MessageCard
      icon={<IconError404 size={30} />}
      title={problems.notFoundTitle}
      text={problems.notFoundText}
    />
  ) : (
    <MessageCard
      icon={<IconClockPause size={28} stroke={1.6} />}
      title={problems.busyTitle}
      text={problems.busyText}
    />
  );
}
