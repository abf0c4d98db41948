// What depends on the size of the window and cannot be said in a style sheet.
import { useEffect, useState } from "preact/hooks";

/** When one pane is shown at a time: phones, upright or lying. As in styles/narrow.css. */
export const NARROW = "(max-width: 760px), (max-width: 960px) and (max-height: 480px)";
/** When there is little height. As in styles/short.css. */
export const SHORT = "(max-height: 480px)";

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setMatches(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}
