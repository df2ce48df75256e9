import type { OpenApiDocument } from '@service/rest';
import { createContract, type Answer, type Contract } from './contract.ts';

/** Reads the OpenAPI document of a running API. */
export async function contractOf(baseUrl: string): Promise<Contract> {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
  if (!response.ok) throw new Error(`The OpenAPI document was answered ${response.status}.`);
  return createContract((await response.json()) as OpenApiDocument);
}

// Every API of these tests has the same operations and schemas: only texts and addresses differ. The document of the first one
// serves them all, since an API takes about 100 ms of CPU to make it.
let contractOfAll: Contract | undefined;

/** Throws when an answer is not as the document of its API says, naming the operation and every problem. */
export async function checkAnswer(baseUrl: string, answer: Answer): Promise<void> {
  contractOfAll ??= await contractOf(baseUrl);
  const problems = contractOfAll.problemsOf(answer);
  if (problems.length === 0) return;
  const { method, path, status } = answer;
  throw new Error(
    `${method} ${path} was answered ${status}, which is not what /openapi.json says:\n  ${problems.join('\n  ')}`,
  );
}
