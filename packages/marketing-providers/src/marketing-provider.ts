import type { OutboundAgent } from '@service/outbound-http';
import type { z } from 'zod';
import type { FieldType, FieldValue, ValueKind } from './field-value.ts';

/** The wanted state of one contact in one tool. Facts of several events are merged into it before it is sent. */
export interface ContactChange {
  email: string;
  fields: readonly FieldChange[];
  /** Names of tags. Only these change. */
  tags: { add: readonly string[]; remove: readonly string[] };
  /** Ids of lists as the tool has them. People are added to lists only with consent. */
  lists: { add: readonly string[]; remove: readonly string[] };
  events: readonly ContactEvent[];
  /** The person's last answer to the consent text. `given` is false for a person who left. Undefined: the person was not asked. */
  consent: Consent | undefined;
  /** A run over people of the past. It must not start automations of the tool. */
  isBackfill: boolean;
}

export interface FieldChange {
  /** The key of the field in the catalogue of the tool. */
  key: string;
  /** In the form that the field takes (`toFieldForm`). */
  value: FieldValue;
  policy: FieldPolicy;
}

/** `if_empty`: only if the tool has no value. `at_creation`: only for a contact that the tool does not have. */
export type FieldPolicy = 'always' | 'if_empty' | 'at_creation';

export interface ContactEvent {
  /** A UUID, the same for every attempt. Tools that recognise it count an event once. */
  id: string;
  name: string;
  at: Date;
  properties: Readonly<Record<string, FieldValue>>;
  value?: { amount: number; currency: string };
}

export interface Consent {
  given: boolean;
  at: Date;
}

/** The knowledge of a change that is being sent. `plan` is called again after each answer. */
export interface Progress {
  /** Steps that have ended. */
  done: ReadonlySet<string>;
  /**
   * Ids and states that answers contained, such as `contact`, for later requests. Tags (`tag:{name}`) and settings of the account
   * (`account:{name}`) are the same for all contacts of a connection. A caller that keeps them, settings for a minute, saves a call for each
   * tag in Kit and ActiveCampaign, and for each new contact in Mailchimp.
   */
  learnt: Readonly<Record<string, string>>;
}

/** One call of a tool. */
export interface ToolRequest {
  /** Names the step among those of one change: `contact`, `tag:attended`, `event:{id}`. `contact`, `create` and `import` write its values. */
  step: string;
  /** The call, as the history of a person shows it: `Update contact`. */
  name: string;
  /** The limits of the provider that it counts in. */
  limits: readonly string[];
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Added to the base address. A value that an earlier answer will give stands in braces, such as `{contact}`: the previews show it so, and it
   * is never sent.
   */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

/** An answer of a tool. Only its first bytes are kept. */
export interface Answer {
  status: number;
  /** With names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when the body is not JSON. */
  json: unknown;
  text: string;
}

/** Reasons are one line of at most 300 characters without any secret of the credential. */
export type StepOutcome =
  | {
      kind: 'done';
      learnt?: Readonly<Record<string, string>>;
      /** Fields that the tool did not take, although it took the rest. */
      refusedFields?: readonly RefusedField[];
    }
  /** The person has left, and only the person can come back. Final, and no failure. */
  | { kind: 'left'; reason: string }
  /** Final for this person: the address or the values are refused. Of a whole batch: one of its contacts is refused. */
  | { kind: 'person_refused'; reason: string }
  /** The rest is sent without these fields. */
  | { kind: 'fields_refused'; fields: readonly RefusedField[]; reason: string }
  /** A list, tag or event name of the mapping does not exist any more. The rest is sent without it. */
  | { kind: 'missing'; subject: 'list' | 'tag' | 'event'; key: string; reason: string }
  /** Too many calls: the whole connection waits. It spends no attempt. */
  | { kind: 'throttled'; reason: string; retryAfterMs: number | undefined }
  /** Not taken, can be repeated: no connection, 408, 409, 5xx. `mayHaveArrived`: the answer was lost. */
  | { kind: 'later'; reason: string; retryAfterMs: number | undefined; mayHaveArrived?: boolean }
  /** The key is refused. A verification decides whether it is dead. */
  | { kind: 'credential_refused'; reason: string }
  /** The account's plan or the scopes of the key do not allow the call, or the tool does not take it any more. */
  | { kind: 'not_allowed'; reason: string };

export interface RefusedField {
  key: string;
  reason: string;
}

/** The fields, tags and lists of the account at the tool, from which mappings choose. */
export interface Catalogue {
  fields: readonly CatalogueField[];
  tags: readonly { name: string }[];
  lists: readonly { id: string; name: string }[];
}

export interface CatalogueField {
  key: string;
  label: string;
  type: FieldType;
  /** Of `choice` and `multiple_choice`. */
  choices?: readonly string[];
}

/** A field that is made for values of one kind. */
export interface NewField {
  label: string;
  kind: ValueKind;
}

export type Verification =
  | { kind: 'accepted'; account: string | undefined }
  /** `refused`: the key is dead. `not_allowed`: it lacks rights that its owner can give. */
  | { kind: 'refused' | 'not_allowed' | 'unreachable'; reason: string };

export type Call = (request: ToolRequest) => Promise<Answer | { lost: string }>;

export interface LimitWindow {
  count: number;
  windowMs: number;
}

export interface ToolContext {
  http: OutboundAgent;
  /** Replaces the origin of the tool's API, such as `https://a.klaviyo.com`, for tests. */
  baseUrl?: string;
  /** Ends a call early. Each also has a limit of its own. */
  signal: AbortSignal;
}

/** The definition of a tool: a record and pure functions. Everything that all tools share is in `define-provider.ts`. */
export interface ProviderDefinition<
  Credential extends Record<string, string | undefined>,
  Id extends string = string,
> {
  id: Id;
  name: string;
  /** The tool's own words, as forms use them. Undefined: it has none of the kind. */
  words: { field: string; tag: string | undefined; list: string | undefined };
  /** The fields of the form, each with a FieldText in its metadata. */
  credential: z.ZodType<Credential> & { shape: Record<string, z.ZodType> };
  baseUrl(credential: Credential): string;
  headers(credential: Credential): Record<string, string>;
  /** By the name that requests give. Every window must have room. `open`: calls at the same time. */
  limits: Readonly<Record<string, readonly LimitWindow[]>>;
  open: number;
  events: {
    /** False: events of a rule cannot be sent to it. */
    exist: boolean;
    /** True when a repeated event with the same id counts once. */
    areIdempotent: boolean;
    /** Characters of a name. Undefined: the tool says no limit. */
    nameMax?: number;
  };
  /** True when a field exists as soon as a value is sent, so that mappings can name fields that the catalogue does not have. */
  takesNewFields?: boolean;
  /** Defined when fields can be made over the API. */
  createField?(field: NewField): ToolRequest;
  /** Makes a real call that changes nothing. */
  verify(credential: Credential, call: Call): Promise<Verification>;
  /** At most 1,000 of each kind. */
  catalogue(call: Call): Promise<Catalogue | { failed: string }>;
  /** Pure: the requests that remain, in their order. Empty: the change is done. Also the preview. */
  plan(change: ContactChange, progress: Progress): readonly ToolRequest[];
  /** Pure: the outcome of an answer to a request of `plan`. Undefined: the status decides (`outcomeOfStatus`). */
  read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined;
  /** For many contacts at once. Only calls that never bring back a person who left. */
  batch?: {
    /** Contacts in a call. */
    max: number;
    /** False: the change has parts that this call cannot carry. It is sent alone. */
    suits(change: ContactChange): boolean;
    plan(changes: readonly ContactChange[]): ToolRequest;
    /**
     * Pure: one outcome for each change, in their order. A single outcome is about the call as a whole. Undefined: the status decides.
     * Contacts whose fields are refused are sent again together, without those fields. A call that is refused for another reason is halved by
     * the caller until the culprit stands alone.
     */
    read(
      request: ToolRequest,
      answer: Answer,
      changes: readonly ContactChange[],
    ): readonly StepOutcome[] | StepOutcome | undefined;
    /** Defined when a call is accepted before it is done: the result of its job is read later. */
    job?: {
      /** The id of the job in an answer to the call. */
      idOf(answer: Answer): string | undefined;
      plan(id: string): ToolRequest;
      /** Pure. `pending`: the job has not ended. */
      read(request: ToolRequest, answer: Answer): JobResult | 'pending';
    };
  };
  /** Pure: the requests that erase a person, those that remain. Undefined: the tool cannot. */
  erase?(email: string, progress: Progress): readonly ToolRequest[];
}

export interface JobResult {
  /** Contacts that the job did not write, by their addresses. */
  refused: readonly { email: string; reason: string }[];
  /** The call for the rest of them. */
  next?: ToolRequest | undefined;
}

/** A tool as callers use it. */
export interface MarketingProvider<Credential = unknown, Id extends string = string> extends Omit<
  ProviderDefinition<Record<string, string | undefined>, Id>,
  'credential' | 'baseUrl' | 'headers' | 'verify' | 'catalogue' | 'read'
> {
  credential: z.ZodType<Credential>;
  /** The address of the API, to which paths are added. */
  baseUrl(credential: Credential): string;
  /** Of every call. They contain the secret. */
  headers(credential: Credential): Record<string, string>;
  verify(credential: Credential, context: ToolContext): Promise<Verification>;
  readCatalogue(credential: Credential, context: ToolContext): Promise<Catalogue | { failed: string }>;
  /** The request as `send` makes it, with `***` in the place of secrets. `baseUrl` as in ToolContext. */
  show(
    request: ToolRequest,
    credential: Credential,
    baseUrl?: string,
  ): ToolRequest & { url: string; headers: Record<string, string> };
  /** Makes one call. Never rejects. */
  send(
    request: ToolRequest,
    credential: Credential,
    context: ToolContext,
  ): Promise<Answer | { lost: string; mayHaveArrived: boolean }>;
  /** The outcome of what `send` returned for a request of `plan` or `erase`, without secrets. */
  read(
    request: ToolRequest,
    answer: Answer | { lost: string; mayHaveArrived: boolean },
    change: ContactChange,
    credential: Credential,
  ): StepOutcome;
  /** The same for a request of `batch.plan`. A single outcome is about the call as a whole. */
  readBatch(
    request: ToolRequest,
    answer: Answer | { lost: string; mayHaveArrived: boolean },
    changes: readonly ContactChange[],
    credential: Credential,
  ): readonly StepOutcome[] | StepOutcome;
  /**
   * The result of what `send` returned for a request of `batch.job`, without secrets. A tool that has no such job has refused no contact.
   * `throttledMs`: there were too many calls, and the tool asks for this wait, if it names one.
   */
  readJob(
    request: ToolRequest,
    answer: Answer | { lost: string; mayHaveArrived: boolean },
    credential: Credential,
  ): JobResult | 'pending' | { throttledMs: number | undefined };
  /** The last four characters of the secret, which pages show. */
  last4(credential: Credential): string;
}
