// The fakes by tool, and the ways to call them.
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import {
  type Answer,
  type MarketingProvider,
  marketingProviders,
  type ProviderId,
  type ToolContext,
  type ToolRequest,
} from '../index.ts';
import { hubspotFake } from './hubspot-fake.ts';
import { activecampaignFake } from './activecampaign-fake.ts';
import { brevoMarketingFake } from './brevo-marketing-fake.ts';
import { kitFake } from './kit-fake.ts';
import { klaviyoFake } from './klaviyo-fake.ts';
import { mailchimpFake } from './mailchimp-fake.ts';
import {
  createToolFake,
  type RunningFake,
  startToolFake,
  type Samples,
  toFakeRequest,
  type ToolFake,
  type ToolRules,
} from './tool-fake.ts';

const rules: Record<ProviderId, ToolRules> = {
  klaviyo: klaviyoFake,
  hubspot: hubspotFake,
  mailchimp: mailchimpFake,
  activecampaign: activecampaignFake,
  kit: kitFake,
  brevo: brevoMarketingFake,
};

interface FakeOptions {
  /** In milliseconds. Turns the limits of the tool on. */
  now?: () => number;
}

/** A fake without a server, for `createFakeSend`. */
export const createFake = (id: ProviderId, options?: FakeOptions): ToolFake =>
  createToolFake(rules[id], options);

/** Starts the fake of a tool on a free port of this machine. Its credential is that of `credentialOf`. */
export const startFake = (id: ProviderId, options?: FakeOptions): Promise<RunningFake> =>
  startToolFake(createFake(id, options));

/** The credential that a fake knows, also after it was revoked. */
export const credentialOf = (id: ProviderId): Record<string, string> => rules[id].credential;

export const samplesOf = (id: ProviderId): Samples => rules[id].samples;

export const providerOf = (id: ProviderId): MarketingProvider<unknown, ProviderId> =>
  marketingProviders.find((provider) => provider.id === id)!;

interface ContextOptions {
  allowedCidrs?: string[];
  signal?: AbortSignal;
}

/** A context that may reach this machine. */
export function createTestContext(
  { baseUrl }: { baseUrl: string },
  { allowedCidrs = ['127.0.0.0/8', '::1/128'], signal = new AbortController().signal }: ContextOptions = {},
): ToolContext & AsyncDisposable {
  const policy = createOutboundPolicy({ allowedCidrs, allowHttp: true });
  const http = createOutboundAgent({ policy, resolver: createResolver() });
  return { http, baseUrl, signal, [Symbol.asyncDispose]: () => http.destroy() };
}

export type Send = (request: ToolRequest) => Promise<Answer | { lost: string; mayHaveArrived: boolean }>;

/** Calls a fake without a network. */
export function createFakeSend(id: ProviderId, fake: ToolFake): Send {
  const provider = providerOf(id);
  const credential = credentialOf(id);
  const { pathname } = new URL(provider.baseUrl(credential));
  const general = { 'content-type': 'application/json', ...provider.headers(credential) };
  return ({ method, path, headers, body }) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const url = pathname.replace(/\/+$/, '') + path;
    const answer = fake.handle(toFakeRequest(method, url, { ...general, ...headers }, text));
    if (typeof answer === 'string')
      return Promise.resolve({ lost: 'The connection broke off.', mayHaveArrived: true });
    const said = answer.body === undefined ? '' : answer.body;
    return Promise.resolve({
      status: answer.status,
      headers: answer.headers ?? {},
      json: typeof said === 'string' ? undefined : (JSON.parse(JSON.stringify(said)) as unknown),
      text: typeof said === 'string' ? said : JSON.stringify(said),
    });
  };
}
