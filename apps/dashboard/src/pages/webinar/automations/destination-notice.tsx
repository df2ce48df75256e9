import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../../components/notice.tsx';
import { useTRPC } from '../../../trpc.ts';

/** Names destinations that this installation allows and a production one does not. Hidden when there are none. */
export function DestinationNotice() {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.automations.destinationPolicy.queryOptions(undefined, { staleTime: 'static' }),
  );
  if (!data) return null;
  const { allowHttp, allowedCidrs } = data.data;
  const exceptions = [
    ...(allowedCidrs.length > 0 ? [`to private addresses in ${allowedCidrs.join(' and ')}`] : []),
    ...(allowHttp ? ['over plain http'] : []),
  ];
  if (exceptions.length === 0) return null;
  return (
    <Notice tone="info">
      This installation also sends webhooks {exceptions.join(' and ')}, so that you can test receivers on your
      own machine. Switch that off in production: WEBHOOK_ALLOWED_CIDRS, WEBHOOK_ALLOW_HTTP.
    </Notice>
  );
}
