// https://developers.hubspot.com/docs/api-reference/error-handling
import { noId, outcomeOfStatus, reasonOf, throttled } from '../../define-provider.ts';
import { learnContact } from '../../field-policy.ts';
import type {
  Answer,
  ContactChange,
  RefusedField,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';

export function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind = '', key = ''] = request.step.split(/:(.*)/s);
  const reason = reasonOf(answer);
  if (status === 429) return throttled(answer, waitOf(textAt(json, 'policyName')));
  switch (kind) {
    case 'lookup':
      if (status === 404) return { kind: 'done' };
      if (status !== 200) return undefined;
      if (textAt(json, 'id') === undefined) return noId(answer);
      return {
        kind: 'done',
        learnt: learnContact(textAt(json, 'id'), change, (field) => at(json, 'properties', field)),
      };
    case 'create': {
      const contact = textAt(json, 'id');
      if (status === 201)
        return contact ? { kind: 'done', learnt: { contact, created: 'yes' } } : noId(answer);
      // Made by somebody else in the meantime. Its values are kept.
      const existing = status === 409 ? /Existing ID: (\d+)/.exec(reason)?.[1] : undefined;
      if (existing) return { kind: 'done', learnt: learnContact(existing, change, () => 'kept') };
      return readFault(json, change, reason);
    }
    case 'contact':
      return readFault(json, change, reason);
    case 'list':
    case 'unlist':
      // 400: the list has become one that HubSpot fills itself.
      return status === 404 || status === 400 ? { kind: 'missing', subject: 'list', key, reason } : undefined;
    case 'event': {
      if (status === 409) return { kind: 'done' };
      const name = change.events.find(({ id }) => id === key)?.name ?? key;
      const isGone = status === 404 || (status === 400 && reason.includes(name));
      return isGone ? { kind: 'missing', subject: 'event', key: name, reason } : undefined;
    }
    case 'field':
      return status === 409 ? { kind: 'done' } : undefined;
    default:
      return undefined;
  }
}

/** The limits that a 429 names: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines */
function waitOf(policyName: string | undefined): number {
  if (policyName === 'DAILY') return 60 * 60 * 1000;
  return policyName === 'SECONDLY' ? 1000 : 10_000;
}

interface PropertyFault {
  key: string | undefined;
  code: string | undefined;
  reason: string | undefined;
}

/** The list is in `errors`, or at the end of the message. */
function faultsOf(json: unknown): PropertyFault[] {
  const [, list = ''] = /Property values were not valid: (\[.*\])/s.exec(textAt(json, 'message') ?? '') ?? [];
  return [
    ...parseList(list).map((fault) => ({
      key: textAt(fault, 'name'),
      code: textAt(fault, 'error'),
      reason: textAt(fault, 'message'),
    })),
    ...listAt(json, 'errors').map((fault) => ({
      key: textAt(fault, 'context', 'propertyName', 0),
      code: textAt(fault, 'code'),
      reason: textAt(fault, 'message'),
    })),
  ];
}

/** An error about values: those of the fields, or the address. */
function readFault(
  json: unknown,
  { fields }: Pick<ContactChange, 'fields'>,
  reason: string,
): StepOutcome | undefined {
  const faults = faultsOf(json);
  if (faults.some(({ key }) => key === 'email')) return { kind: 'person_refused', reason };
  const refused = fields.flatMap(({ key }): RefusedField[] => {
    const fault = faults.find((each) => each.key === key);
    return fault ? [{ key, reason: fault.reason ?? reason }] : [];
  });
  return refused.length > 0 ? { kind: 'fields_refused', fields: refused, reason } : undefined;
}

function parseList(text: string): unknown[] {
  try {
    return listAt({ list: JSON.parse(text) as unknown }, 'list');
  } catch {
    return [];
  }
}

export function readBatch(
  request: ToolRequest,
  answer: Answer,
  changes: readonly ContactChange[],
): StepOutcome[] | StepOutcome | undefined {
  const { status, json } = answer;
  if (status === 400) return readGone(answer, changes);
  if (status !== 200 && status !== 207) return undefined;
  const faults = new Map(
    listAt(json, 'errors').flatMap((fault) =>
      listAt(fault, 'context', 'objectWriteTraceId').map((trace) => [trace, fault] as const),
    ),
  );
  const written = new Set(listAt(json, 'results').map((result) => textAt(result, 'objectWriteTraceId')));
  return changes.map((change, index): StepOutcome => {
    const trace = String(index);
    const fault = faults.get(trace);
    if (fault !== undefined) {
      const alone = { ...answer, status: 400, json: fault };
      return readFault(fault, change, reasonOf(alone)) ?? outcomeOfStatus(alone, request);
    }
    if (written.has(trace)) return { kind: 'done' };
    // HubSpot may answer 200 with neither results nor errors.
    return { kind: 'later', reason: 'The answer does not name this contact.', retryAfterMs: undefined };
  });
}

/** A property that does not exist is refused for all contacts of a batch. Undefined: another reason, such as one address. */
function readGone(answer: Answer, changes: readonly ContactChange[]): StepOutcome | undefined {
  const gone = faultsOf(answer.json).filter(({ code }) => code === 'PROPERTY_DOESNT_EXIST');
  const keys = new Set(changes.flatMap(({ fields }) => fields.map(({ key }) => key)));
  const reason = reasonOf(answer);
  const fields = [...keys].flatMap((key): RefusedField[] => {
    const fault = gone.find((each) => each.key === key);
    return fault ? [{ key, reason: fault.reason ?? reason }] : [];
  });
  return fields.length > 0 ? { kind: 'fields_refused', fields, reason } : undefined;
}
