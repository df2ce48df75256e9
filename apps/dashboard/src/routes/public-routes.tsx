// Pages outside a workspace: sign-in, sign-up and invitations.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import * as z from 'zod/mini';
import { signInSearchOf } from '../pages/sign-in/search.ts';
import { SignInRoute, SignUpRoute } from '../pages/sign-in/sign-in-route.tsx';
import { text } from '../search-params.ts';
import { preferredWorkspace, sessionQuery } from '../session.ts';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    const workspace = preferredWorkspace(session);
    if (!session.user) throw redirect({ to: '/sign-in' });
    if (!workspace) throw notFound();
    throw redirect({ to: '/w/$workspaceId/home', params: { workspaceId: workspace.id } });
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInSearchOf,
  beforeLoad: async ({ context, search }) => {
    // After a refused call the cached sign-in session may look valid, and the redirects would never end.
    if (search.redirect !== undefined) return;
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ to: '/' });
  },
  component: SignInRoute,
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: signInSearchOf,
  beforeLoad: async ({ context }) => ({ session: await context.queryClient.ensureQueryData(sessionQuery) }),
  component: SignUpRoute,
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/$invitationId',
  beforeLoad: async ({ context }) => ({ session: await context.queryClient.ensureQueryData(sessionQuery) }),
  component: lazyRouteComponent(() => import('../pages/invitation/invitation-page.tsx'), 'InvitationPage'),
});

const connectSearch = z.object({
  /** The request of a client, sealed by the authorization server. */
  request: text,
  /** The chosen workspace. The one that was used last when left out. */
  workspace: text,
});

/** The authorization server sends browsers here with the request of a client. */
const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: (typed) => connectSearch.parse(typed),
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    const { user } = session;
    if (!user) throw redirect({ to: '/sign-in', search: { redirect: location.href } });
    return { user, session };
  },
  component: lazyRouteComponent(() => import('../pages/connect/connect-page.tsx'), 'ConnectPage'),
});

const mailPages = () => import('../pages/sign-in/mail-pages.tsx');

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(mailPages, 'ForgotPasswordPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(mailPages, 'ResetPasswordPage'),
});

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  component: lazyRouteComponent(mailPages, 'VerifyEmailPage'),
});

const confirmSignUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-sign-up',
  component: lazyRouteComponent(mailPages, 'ConfirmSignUpPage'),
});

export const publicRoutes = [
  indexRoute,
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  verifyEmailRoute,
  confirmSignUpRoute,
  invitationRoute,
  connectRoute,
];
