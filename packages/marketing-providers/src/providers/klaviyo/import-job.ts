// https://developers.klaviyo.com/en/reference/get_bulk_import_profiles_job and /get_errors_for_bulk_import_profiles_job
import { requestsIn } from '../../define-provider.ts';
import type { JobResult, MarketingProvider, ToolRequest } from '../../marketing-provider.ts';
import { listAt, textAt } from '../../read-json.ts';
import { cursorOf } from './klaviyo-catalogue.ts';

const toRequest = requestsIn('imports');
const pathOf = (id: string): string => `/profile-bulk-import-jobs/${encodeURIComponent(id)}`;

const errorsRequest = (id: string): ToolRequest =>
  toRequest(
    `errors:${id}`,
    'Read import errors',
    `GET ${pathOf(id)}/import-errors?fields[import-error]=detail,original_payload&page[size]=100`,
  );

/** The longest page. */
const pageMax = 100;

export const importJob: NonNullable<NonNullable<MarketingProvider['batch']>['job']> = {
  idOf: ({ json }) => textAt(json, 'data', 'id'),

  plan: (id) =>
    toRequest(
      `job:${id}`,
      'Read import',
      `GET ${pathOf(id)}?fields[profile-bulk-import-job]=status,failed_count`,
    ),

  read({ step, path }, { json }): JobResult | 'pending' {
    const [kind, id = ''] = step.split(/:(.*)/s);
    if (kind === 'job') {
      const status = textAt(json, 'data', 'attributes', 'status');
      if (status !== 'complete' && status !== 'cancelled') return 'pending';
      const failed = Number(textAt(json, 'data', 'attributes', 'failed_count') ?? 0);
      return { refused: [], ...(failed > 0 && { next: errorsRequest(id) }) };
    }
    const refused = listAt(json, 'data')
      .slice(0, pageMax)
      .flatMap((error) => {
        const payload = ['attributes', 'original_payload'];
        const email =
          textAt(error, ...payload, 'attributes', 'email') ??
          textAt(error, ...payload, 'data', 'attributes', 'email') ??
          textAt(error, ...payload, 'email');
        return email === undefined
          ? []
          : [{ email, reason: textAt(error, 'attributes', 'detail') ?? 'The import refused the profile.' }];
      });
    const cursor = cursorOf(json);
    const first = errorsRequest(id);
    const next =
      cursor === undefined ? undefined : { ...first, path: `${first.path}&page[cursor]=${cursor}` };
    return { refused, ...(next && next.path !== path && { next }) };
  },
};
