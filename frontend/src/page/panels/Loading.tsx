// Over the graph or text: what is on its way from the server, and what to do when it does not come.
import { useApp } from "../app.ts";
import { inWords, megabytes } from "../state/parts.ts";

export function Loading() {
  const { loader, runner } = useApp();
  const now = loader.loading.value;
  if (now === null) return null;
  const { left } = now;
  if (now.phase === "loading") {
    const said = now.bytes === 0 ? megabytes(left.bytes) : `${megabytes(Math.min(now.bytes, left.bytes))} of ${megabytes(left.bytes)}`;
    return (
      <div class="banner" role="status">
        Loading {inWords(left)}, {said}
        <div class="progress" />
        <button type="button" class="link" onClick={loader.cancel}>
          Cancel
        </button>
      </div>
    );
  }
  const gone = now.failure?.code === "part-gone";
  return (
    <div class="banner" role={now.failure === null ? "status" : "alert"}>
      {now.failure === null ? `Not loaded: ${inWords(left)}.` : `${now.failure.message} ${now.failure.advice}`}
      <button type="button" class="link" onClick={gone ? runner.run : loader.again}>
        {gone ? "Run again" : now.failure === null ? "Load" : "Try again"}
      </button>
    </div>
  );
}
