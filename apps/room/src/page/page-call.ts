import type { Texts } from '../texts/en.ts';

export interface Issue {
  path: string;
  message: string;
}

/** A refusal of the service. Without an answer its code is `network`. */
export class CallFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor({ code, status, issues }: { code: string; status: number; issues?: readonly Issue[] }) {
    super(code);
    this.code = code;
    this.status = status;
    this.issues = issues ?? [];
  }

  /** True if the page should read its times again: a session is full, has begun or was moved. */
  get isTimeGone(): boolean {
    return this.status === 409 || this.code === 'session_time_unavailable';
  }
}

/** A sentence about a registration, its change or its cancellation that failed. */
export function failureText({ code, status, isTimeGone }: CallFailure, { failures }: Texts): string {
  if (code === 'network') return failures.network;
  if (status === 429) return failures.busy;
  if (code === 'session_full') return failures.session_full;
  if (code === 'registration_attended') return failures.already_joined;
  return isTimeGone ? failures.session_closed : failures.unknown;
}

const timeoutMs = 20_000;

/** Reads `data` of an answer, or sends a body. Throws CallFailure. */
export async function call<Data>(url: string, body?: object): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw new CallFailure({ code: 'network', status: 0 });
  }
  const answer = (await response.json().catch(() => undefined)) as
    | { data?: Data; code?: string; issues?: Issue[] }
    | undefined;
  if (response.ok && answer?.data !== undefined) return answer.data;
  throw new CallFailure({
    code: answer?.code ?? 'unknown',
    status: response.status,
    issues: answer?.issues ?? [],
  });
}
