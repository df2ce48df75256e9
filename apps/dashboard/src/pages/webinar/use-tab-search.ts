// The state of the tabs with lists, as the URL keeps it. `show` changes some parameters: undefined removes the filter, or closes
// the dialog or drawer, of that parameter.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type {
  AdaptiveSearch,
  AutomationsSearch,
  InteractionsSearch,
  MailsSearch,
  RegistrationsSearch,
  SessionsSearch,
  WebhooksTabSearch,
} from './search.ts';

const adaptive = getRouteApi('/w/$workspaceId/webinars/$webinarId/adaptive');
const automations = getRouteApi('/w/$workspaceId/webinars/$webinarId/automations');
const interactions = getRouteApi('/w/$workspaceId/webinars/$webinarId/interactions');
const mails = getRouteApi('/w/$workspaceId/webinars/$webinarId/mails');
const registrations = getRouteApi('/w/$workspaceId/webinars/$webinarId/registrations');
const sessions = getRouteApi('/w/$workspaceId/webinars/$webinarId/sessions');
const webhooks = getRouteApi('/w/$workspaceId/webinars/$webinarId/webhooks');

/** The parameters that open the panel of a segment or branch. */
const closedGraph = { segment: undefined, newSegment: undefined, branch: undefined, newBranch: undefined };

export function useAdaptiveSearch() {
  const { webinarId } = adaptive.useParams();
  const search = adaptive.useSearch();
  const navigate = adaptive.useNavigate();
  const show = (change: AdaptiveSearch) =>
    void navigate({ search: (before) => ({ ...before, ...closedGraph, ...change }) });
  /** `isSaved`: without a question, because nothing is lost. */
  const close = ({ isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...closedGraph }), ignoreBlocker: isSaved });
  return { webinarId, search, show, close };
}

export function useAutomationsSearch() {
  const { webinarId } = automations.useParams();
  const search = automations.useSearch();
  const navigate = automations.useNavigate();
  /** `isSaved`: nothing unsaved can be lost. */
  const show = (change: AutomationsSearch, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...change }), ignoreBlocker: isSaved });
  return { webinarId, search, show };
}

/** The parameters that open the panel of an interaction. */
const closedPanel = { interaction: undefined, new: undefined, copy: undefined, results: undefined };

export function useInteractionsSearch() {
  const { webinarId } = interactions.useParams();
  const search = interactions.useSearch();
  const navigate = interactions.useNavigate();
  /** Opens the panel, or shows another part of it. */
  const show = (change: InteractionsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...closedPanel, ...change }) });
  /** Closes the panel. `isSaved`: without a question, because nothing is lost. */
  const close = ({ isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...closedPanel }), ignoreBlocker: isSaved });
  const showSegment = (segment: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, segment }) });
  return { webinarId, search, show, close, showSegment };
}

export function useMailsSearch() {
  const { webinarId } = mails.useParams();
  const search = mails.useSearch();
  const navigate = mails.useNavigate();
  /** `isSaved`: without a question, because nothing is lost. */
  const show = (change: MailsSearch, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...change }), ignoreBlocker: isSaved });
  return { webinarId, search, show };
}

export function useRegistrationsSearch() {
  const { webinarId } = registrations.useParams();
  const search = registrations.useSearch();
  const navigate = registrations.useNavigate();
  const show = useCallback(
    (change: RegistrationsSearch, { replace = false } = {}) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace }),
    [navigate],
  );
  return { webinarId, search, show };
}

export function useSessionsSearch() {
  const { webinarId } = sessions.useParams();
  const search = sessions.useSearch();
  const navigate = sessions.useNavigate();
  const show = (change: SessionsSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

export function useWebhooksSearch() {
  const { webinarId } = webhooks.useParams();
  const search = webhooks.useSearch();
  const navigate = webhooks.useNavigate();
  const show = (change: WebhooksTabSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}
