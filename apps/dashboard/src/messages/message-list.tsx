import { Notifications } from '@mantine/notifications';

export const MessageList = () => <Notifications position="bottom-right" limit={3} autoClose={3500} />;
