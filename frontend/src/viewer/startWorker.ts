// Starts the layout worker under `require-trusted-types-for 'script'`: a worker's address is a script address, and only this policy may name one.
import workerUrl from "./layout.worker.ts?worker&url";
import type { WorkerLike } from "./layoutClient.ts";

interface Policy {
  createScriptURL(input: string): unknown;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (input: string) => string }): Policy;
}

let policy: Policy | null = null;

export function startWorker(): WorkerLike {
  const trusted = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??=
    trusted?.createPolicy("jaxpr-visualizer", {
      createScriptURL: (input) => {
        if (input !== workerUrl) throw new TypeError("not the address of the layout worker");
        return input;
      },
    }) ?? null;
  const url = policy === null ? workerUrl : policy.createScriptURL(workerUrl);
  return new Worker(url as string, { type: "module" }) as WorkerLike;
}
