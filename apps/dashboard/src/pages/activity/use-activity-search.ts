import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ActivitySearch } from './search.ts';

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
