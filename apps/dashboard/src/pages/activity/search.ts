import { allSurfaces } from '@service/catalogue';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { moment, optional, text, word } from '../../search-params.ts';
import { timeRangeNames, type TimeRange } from '../../time-ranges.ts';

export const defaultRange = 'last_24_hours' satisfies TimeRange;

export const ActivitySearch = z.pipe(
  z.object({
    surface: optional(z.enum(allSurfaces)),
    /** The last 24 hours when left out. */
    range: optional(z.enum(timeRangeNames)),
    /** A part of the histogram, instead of the range. ISO 8601; both or neither. */
    from: moment,
    to: moment,
    /** Calls of one key. */
    key: optional(z.guid()),
    status: optional(z.enum(['success', 'failure'])),
    /** Calls with this request id. */
    request: word,
    /** Calls that were refused with this error code. */
    code: optional(z.string().check(z.regex(/^[a-z_]{1,60}$/))),
    /** The call whose drawer is open. */
    call: text,
  }),
  z.transform(({ from, to, ...others }) => ({
    ...others,
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
  })),
);

export type ActivitySearch = z.output<typeof ActivitySearch>;

const route = getRouteApi('/w/$workspaceId/settings/activity');

const nothing: Record<keyof ActivitySearch, undefined> = {
  surface: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  key: undefined,
  status: undefined,
  request: undefined,
  code: undefined,
  call: undefined,
};

/** The filters and the open call of the Activity page. They are in the URL. */
export function useActivitySearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { key, request, code, call, ...same } = search;
  const filterText = JSON.stringify({ ...same, keyId: key, requestId: request, errorCode: code });
  return {
    search,
    openId: call,
    /** The filters as input of the API. The same object while nothing changes. */
    filter: useMemo(() => JSON.parse(filterText) as ActivityFilter, [filterText]),
    isFiltered: filterText !== '{}',
    /** Changes some filters. Undefined means the default. */
    show: (change: ActivitySearch) => void navigate({ search: (before) => ({ ...before, ...change }) }),
    clear: () => void navigate({ search: nothing }),
  };
}

type ActivityFilter = Omit<ActivitySearch, 'key' | 'request' | 'code' | 'call'> & {
  keyId?: string;
  requestId?: string;
  errorCode?: string;
};
