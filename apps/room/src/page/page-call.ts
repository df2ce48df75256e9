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
