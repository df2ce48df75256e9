import { versionOf } from '@service/trpc/version';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { inferRouterInputs } from '@trpc/server';
import { useTRPC, useTRPCClient, type ServiceRouter, type WebinarMails } from '../../../trpc.ts';
import { showRefusal } from '../show-refusal.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useWebinar, useWebinarId } from '../use-webinar.ts';

/** The settings of the e-mails of the webinar in the URL. Those of an archived one are read-only. */
export function useMails() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.mails.get.queryOptions({ webinarId: useWebinarId() }));
  const webinar = useWebinar().data?.data;
  return { mails: data?.data, error, refetch, isReadOnly: webinar?.status === 'archived' };
}

type MailsChange = Omit<inferRouterInputs<ServiceRouter>['mails']['update'], 'webinarId'>;

/** Sends a change. One that replaces the list of reminders is refused if another person has changed the settings. */
export function useUpdateMails(stored: WebinarMails) {
  const { mails } = useTRPCClient();
  const webinarId = useWebinarId();
  return (change: MailsChange) =>
    mails.update.mutate(
      { webinarId, ...change },
      { context: change.reminders ? { ifMatch: versionOf(stored) } : {} },
    );
}

export const useMailsChanged = () => useInvalidation((trpc) => [trpc.mails]);

/** Of a switch: a refusal is a notification. */
export const useSwitchMails = (stored: WebinarMails) =>
  useMutation({
    mutationFn: useUpdateMails(stored),
    onSettled: useMailsChanged(),
    onError: (error) => showRefusal('The e-mails are unchanged', error),
  });
