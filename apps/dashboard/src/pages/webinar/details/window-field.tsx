import { Select } from '@mantine/core';
import { attributionWindows } from '@service/webinars/inputs';
import { useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { formatMoney } from '../../../money.ts';
import { useTRPC, type ServiceRouter, type Webinar } from '../../../trpc.ts';
import type { DetailsFieldsProps } from './basic-fields.tsx';
import { detailsLabels as labels, windowToField, windowToText, workspaceWindow } from './details-values.ts';

type Preview = inferRouterOutputs<ServiceRouter>['revenueWindow']['preview']['data'];

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** The attribution window of the webinar. A new choice shows which purchases it would move, before it is saved. */
export function WindowField({ form, webinar }: DetailsFieldsProps & { webinar: Webinar }) {
  const trpc = useTRPC();
  const { data: ofWorkspace } = useQuery(trpc.revenueWindow.get.queryOptions());
  const chosen = form.values.attribution.windowDays;
  const isChanged = chosen !== windowToText(webinar.attribution.windowDays);
  const change = { webinarId: webinar.id, windowDays: windowToField(chosen) };
  const { data: preview } = useQuery({
    ...trpc.revenueWindow.preview.queryOptions(change),
    enabled: isChanged,
  });
  const defaultDays = ofWorkspace ? ` (${daysText(ofWorkspace.data.windowDays)})` : '';
  return (
    <Select
      label={labels['attribution.windowDays']}
      description={
        <span role="status">
          {isChanged
            ? previewText(preview?.data)
            : 'Purchases this long after an offer click, attendance or registration are credited to this webinar.'}
        </span>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { value: workspaceWindow, label: `Workspace default${defaultDays}` },
        ...attributionWindows.map((days) => ({ value: String(days), label: daysText(days) })),
      ]}
      allowDeselect={false}
      {...form.getInputProps('attribution.windowDays')}
    />
  );
}

/** Says how many purchases would move when the form is saved. */
function previewText(preview: Preview | undefined): string {
  if (!preview) return 'Comparing purchases…';
  const { totals, compared, comparedSince } = preview;
  const count = totals.reduce((sum, { purchases }) => sum + purchases, 0);
  const among = comparedSince ? ` of the newest ${compared.toLocaleString('en')}` : '';
  if (count === 0) return comparedSince ? `No purchase${among} would move.` : 'No purchase would move.';
  const amounts = totals.map(({ currency, grossMinor }) => formatMoney(grossMinor, currency)).join(', ');
  const purchases = count === 1 ? '1 purchase' : `${count.toLocaleString('en')} purchases`;
  return `If you save this, ${purchases}${among} would move (${amounts}). All purchases are attributed again in the background.`;
}
