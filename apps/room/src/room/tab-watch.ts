// One tab of an attendee plays at a time. Two would be heard twice, and neither would earn more watch time.
import { useEffect, useRef, useState } from 'react';

/** True while a newer tab with the same link plays. `takeOver` plays here again. */
export function useTabWatch(link: string): { isAside: boolean; takeOver: () => void } {
  const [isAside, setAside] = useState(false);
  const channelRef = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const channel = new BroadcastChannel(`room ${link}`);
    channelRef.current = channel;
    channel.addEventListener('message', () => setAside(true));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    channel.postMessage('playing');
    return () => channel.close();
  }, [link]);
  return {
    isAside,
    takeOver() {
      setAside(false);
      channelRef.current?.postMessage('playing');
    },
  };
}
