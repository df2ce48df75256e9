import type { ServiceRouter } from '@service/composition';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';

/** Query keys contain the workspace, so that switching never shows rows of another workspace. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<
  ServiceRouter,
  { keyPrefix: true }
>();

export type { ServiceRouter };
export type ServiceClient = ReturnType<typeof createServiceClient>;
type Outputs = inferRouterOutputs<ServiceRouter>;
type Inputs = inferRouterInputs<ServiceRouter>;

/** The service refuses larger batches. */
const batchMax = 20;

/** A client of one workspace. The sign-in session is in the cookie. */
export const createServiceClient = (workspaceId: string) =>
  createTRPCClient<ServiceRouter>({
    links: [
      splitLink({
        // A header belongs to a whole request, so an edit with If-Match is not sent in a batch. A batch is answered with its slowest call.
        condition: ({ context }) => typeof context['ifMatch'] === 'string' || context['isSlow'] === true,
        true: httpLink({
          url: '/trpc',
          headers: ({ op }) => ({
            'x-workspace': workspaceId,
            ...(typeof op.context['ifMatch'] === 'string' && { 'If-Match': `"${op.context['ifMatch']}"` }),
          }),
        }),
        false: httpBatchLink({
          url: '/trpc',
          maxURLLength: 6000,
          maxItems: batchMax,
          headers: { 'x-workspace': workspaceId },
        }),
      }),
    ],
  });

export type ApiKey = Outputs['keys']['list']['data'][number];
export type CreatedApiKey = Outputs['keys']['create']['data'];
export type AuthorizationRequest = Outputs['connectors']['request']['data'];
export type Grant = Outputs['grants']['list']['data'][number];
export type McpTool = Outputs['mcp']['tools']['data'][number];
export type Webinar = Outputs['webinars']['list']['data'][number];
export type PersonSummary = Outputs['people']['list']['data'][number];
export type Person = Outputs['people']['get']['data'];
export type PersonRegistration = Person['registrations'][number];
export type PersonEvent = Outputs['people']['events']['data'][number];
export type Nearby = Outputs['sessions']['nearby']['data'];
export type Session = Outputs['sessions']['listByStart']['data'][number];
export type SessionCounts = Outputs['registrations']['sessionCounts']['data'][number];
export type Slot = Outputs['sessions']['slots']['data'][number];
export type TimelineEvent = Outputs['registrations']['events']['data'][number];
export type PeopleMoves = Outputs['registrations']['movePeople']['data'];
export type Registration = Outputs['registrations']['list']['data'][number];
export type Rule = Outputs['automations']['rules']['list']['data'][number];
export type TriggerForm = Outputs['automations']['triggerForms']['data'][number];
export type Webhook = Outputs['webhooks']['list']['data'][number];
export type Health = NonNullable<Rule['health']>;
export type Waiting = Outputs['webhooks']['getWaiting']['data'];
export type Endpoint = Outputs['endpoints']['list']['data'][number];
export type Recovery = Outputs['webhooks']['listRecoveries']['data'][number];
export type ListedDelivery = Outputs['deliveries']['list']['data'][number];
export type NewestDelivery = Outputs['deliveries']['newest']['data'][number];
export type DeliveryHistogram = Outputs['deliveries']['histogram']['data'];
export type Registrant = Outputs['registrations']['byIds']['data'][number];
export type DeliverySummary =
  Outputs['automations']['registrationDeliveries']['data'][number]['deliveries'][number];
export type Delivery = Outputs['automations']['delivery']['data'];
export type Member = Outputs['accounts']['members']['list']['data'][number];
export type OwnSession = Outputs['accounts']['ownSessions']['list']['data'][number];
export type MemberChange = Outputs['accounts']['changes']['list']['data'][number];
export type Invitation = Outputs['accounts']['invitations']['list']['data'][number];
export type NewInvitation = Outputs['accounts']['invitations']['create']['data'];
export type ActivityCaller = Outputs['activity']['keys']['data'][number];
export type Activity = Outputs['activity']['list']['data'][number];
export type Histogram = Outputs['activity']['histogram']['data'];
export type Interaction = Outputs['interactions']['list']['data'][number];
export type InteractionBody = Omit<Inputs['interactions']['create'], 'webinarId' | 'type'>;
export type ChatMessage = Outputs['responses']['messages']['data'][number];
export type ResponseCounts = Outputs['responses']['counts']['data'][number];
export type WebinarAnalytics = Outputs['analytics']['webinar']['data'];
export type SessionAnalytics = Omit<Outputs['analytics']['session']['data'], 'sessionId'>;
export type Segment = Outputs['segments']['list']['data'][number];
export type Branch = Outputs['segments']['branches']['list']['data'][number];
export type GraphProblem = Outputs['segments']['problems']['data'][number];
export type RevenueEvent = Outputs['revenue']['list']['data'][number];
export type RevenueEventDetails = Outputs['revenue']['get']['data'];
export type RevenueSummary = Outputs['revenue']['summary']['data'];
export type RevenueTotals = RevenueSummary['totals'][number];
export type RevenueGroup = RevenueSummary['groups'][number];
export type RevenueSource = Outputs['revenueSources']['list']['data'][number];
export type RefusedEvent = Outputs['revenueSources']['refusedEvents']['list']['data'][number];
export type RevenueWindow = Outputs['revenueWindow']['get']['data'];
export type WindowPreview = Outputs['revenueWindow']['preview']['data'];
export type Connection = Outputs['connections']['list']['data'][number];
export type Connected = Outputs['connections']['connect']['data'];
export type DomainCheck = Outputs['connections']['domain']['data']['checks'][number];
export type ConnectionChange = Outputs['connections']['changes']['data'][number];
export type MailSender = Outputs['connections']['senders']['data'][number];
export type MarketingTool = Outputs['connections']['tools']['data'][number];
export type Catalogue = Outputs['connections']['catalogue']['data'];
export type ContactSend = Outputs['contacts']['listSends']['data'][number];
export type ContactRun = Outputs['contacts']['listRuns']['data'][number];
export type WebinarMails = Outputs['mails']['get']['data'];
export type SentMail = Outputs['mails']['ofRegistration']['data'][number];
export type Suppression = Outputs['suppressions']['list']['data'][number];
