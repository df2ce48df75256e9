import { notificationsStore, useNotifications } from '@mantine/notifications';
import { useEffect, useState, type ComponentType } from 'react';

/** A message answers an action of the person, and may have to say that the service cannot be reached. */
const actions = ['pointerdown', 'keydown'];

/** The short messages at the lower edge. Their code is loaded at the first action on the page. */
export function Messages() {
  const { notifications } = useNotifications(notificationsStore);
  const [List, setList] = useState<ComponentType>();
  const isLoaded = List !== undefined;
  const count = notifications.length;
  useEffect(() => {
    if (isLoaded) return undefined;
    const load = (): void => {
      import('./message-list.tsx').then(
        ({ MessageList }) => setList(() => MessageList),
        // The next action or message tries again.
        () => undefined,
      );
    };
    if (count > 0) load();
    for (const action of actions) window.addEventListener(action, load);
    return () => {
      for (const action of actions) window.removeEventListener(action, load);
    };
  }, [isLoaded, count]);
  return List ? <List /> : null;
}
