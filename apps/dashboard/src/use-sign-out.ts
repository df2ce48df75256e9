import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { failureOf } from './failure.ts';
import { dropDrafts } from './kept-drafts.ts';
import { signOut } from './session.ts';

/** Ends the sign-in session and clears all loaded data. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      notifications.show({
        color: 'red',
        title: 'You are still signed in',
        message: failureOf(error).message,
      });
      return;
    }
    dropDrafts();
    queryClient.clear();
    await navigate({ to: '/sign-in' });
  };
}
