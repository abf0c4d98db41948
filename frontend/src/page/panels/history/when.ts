// A time as people say it. Pure.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function when(at: number, now: number): string {
  const past = now - at;
  if (past < MINUTE) return "just now";
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  const days = Math.floor(past / DAY);
  if (days < 7) return days === 1 ? "yesterday" : `${days} days ago`;
  return new Date(at).toISOString().slice(0, 10);
}
