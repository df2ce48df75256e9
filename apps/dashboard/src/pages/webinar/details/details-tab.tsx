import { Select } from '@mantine/core';
import { attributionWindows } from '@service/webinars/inputs';
import { useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { formatCount, formatPlural } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import { useTRPC, type ServiceRouter } from '../../../trpc.ts';
import { WebinarForm } from '../webinar-form.tsx';
import { BasicFields, RoomFields, VideoFields, type DetailsFieldsProps } from './details-fields.tsx';
import {
  detailsLabels,
  detailsOf,
  detailsToFields,
  windowToField,
  windowToText,
  workspaceWindow,
} from './details-values.ts';

export const DetailsTab = () => (
  <WebinarForm
    part="details"
    name="Details of the webinar"
    labels={detailsLabels}
    valuesOf={detailsOf}
    fieldsOf={detailsToFields}
  >
    {(props) => (
      <>
        <BasicFields {...props} />
        <VideoFields {...props} />
        <RoomFields {...props} />
        <AttendanceFields {...props} />
      </>
    )}
  </WebinarForm>
);

const AttendanceFields = (props: DetailsFieldsProps) => (
  <SettingsGroup
    title="Attendance and revenue"
    text="These numbers decide when an attendee counts as attended, as a no-show, and as the source of a purchase."
  >
    <FieldRow>
      <NumberField
        {...props.field('attendance.minSeconds')}
        description="Seconds an attendee must watch to count as attended. With 0, as in webinars made over the API, everyone who joins counts."
        suffix=" s"
      />
      <NumberField
        {...props.field('attendance.completionPercent')}
        description="Percent of the video an attendee must watch to complete it."
        suffix=" %"
      />
    </FieldRow>
    <FieldRow>
      <NumberField
        {...props.field('attendance.noShowGraceMinutes')}
        description="Minutes after the end until absent attendees count as no-shows."
        suffix=" min"
      />
      <WindowField {...props} />
    </FieldRow>
  </SettingsGroup>
);

type Preview = inferRouterOutputs<ServiceRouter>['revenueWindow']['preview']['data'];

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** The attribution window of the webinar. A new choice shows which purchases it would move, before it is saved. */
function WindowField({ form, field, webinar }: DetailsFieldsProps) {
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
      {...field('attribution.windowDays')}
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
    />
  );
}

/** Says how many purchases would move when the form is saved. */
function previewText(preview: Preview | undefined): string {
  if (!preview) return 'Comparing purchases…';
  const { totals, compared, comparedSince } = preview;
  const count = totals.reduce((sum, { purchases }) => sum + purchases, 0);
  const among = comparedSince ? ` of the newest ${formatCount(compared)}` : '';
  if (count === 0) return comparedSince ? `No purchase${among} would move.` : 'No purchase would move.';
  const amounts = totals.map(({ currency, grossMinor }) => formatMoney(grossMinor, currency)).join(', ');
  const purchases = formatPlural(count, 'purchase');
  return `If you save this, ${purchases}${among} would move (${amounts}). All purchases are attributed again in the background.`;
}
