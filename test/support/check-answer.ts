import type { OpenApiDocument } from '@service/rest';
import { createContract, type Answer, type Contract } from './contract.ts';

const contracts = new Map<string, Promise<Contract>>();

/** The contract of a running API, read from it once. */
export function contractOf(baseUrl: string): Promise<Contract> {
  const known = contracts.get(baseUrl);
  if (known) return known;
  const contract = readContract(baseUrl);
  contracts.set(baseUrl, contract);
  return contract;
}

/** Throws when an answer is not as the document of its API says, naming the operation and every problem. */
export async function checkAnswer(baseUrl: string, answer: Answer): Promise<void> {
  const problems = (await contractOf(baseUrl)).problemsOf(answer);
  if (problems.length === 0) return;
  const { method, path, status } = answer;
  throw new Error(
    `${method} ${path} was answered ${status}, which is not what /openapi.json says:\n  ${problems.join('\n  ')}`,
  );
}

/** APIs of one process differ in their address only, so that most share one set of compiled schemas. */
const contractByText = new Map<string, Contract>();

async function readContract(baseUrl: string): Promise<Contract> {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
  const text = (await response.text()).replaceAll(baseUrl, 'http://api.test');
  const contract = contractByText.get(text) ?? createContract(JSON.parse(text) as OpenApiDocument);
  contractByText.set(text, contract);
  return contract;
}
