/** As much of @viz-js/viz as the benchmark needs, so that the types are checked where this peer is not installed. */
declare module "@viz-js/viz" {
  export type Rendered = { status: "success"; output: string } | { status: "failure"; errors: { message: string }[] };
  export function instance(): Promise<{ render(dot: string, options: { format: string; engine: string }): Rendered }>;
}
