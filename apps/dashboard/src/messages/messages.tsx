import { notificationsStore, useNotifications } from '@mantine/notifications';
import { useEffect, useState, type ComponentType } from 'react';

/** No message is shown in the first seconds of a page. Later the service may be out of reach, and a message has to say so. */
const waitMs = 5000;

/** The short messages at the lower edge. Their code is loaded some seconds after the page, or for the first message. */
export function Messages() {
  const { notifications } = useNotifications(notificationsStore);
  const [List, setList] = useState<ComponentType>();
  const isLoaded = List !== undefined;
  const count = notifications.length;
  useEffect(() => {
    if (isLoaded) return undefined;
    const timer = setTimeout(
      () => {
        import('./message-list.tsx').then(
          ({ MessageList }) => setList(() => MessageList),
          // The next message tries again.
          () => undefined,
        );
      },
      count > 0 ? 0 : waitMs,
    );
    return () => clearTimeout(timer);
  }, [isLoaded, count]);
  return List ? <List /> : null;
}
