// Drawn on a 16 px grid, one stroke, the colour of the text around them. Decorative: the button they stand in has the name.
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const Layers = () => (
  <Icon>
    <path d="m8 2.5 6 3-6 3-6-3zM2 8.5l6 3 6-3M2 11.5l6 3 6-3" />
  </Icon>
);
export const Stack = () => (
  <Icon>
    <path d="M2.5 3.5h11M5 8h8.5M7.5 12.5h6" />
  </Icon>
);
export const Play = () => (
  <Icon>
    <path d="M5 3.5v9l7-4.5z" fill="currentColor" />
  </Icon>
);
export const Down = () => (
  <Icon>
    <path d="M4.5 6.5 8 10l3.5-3.5" />
  </Icon>
);
export const Up = () => (
  <Icon>
    <path d="M4.5 9.5 8 6l3.5 3.5" />
  </Icon>
);
export const Search = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </Icon>
);
export const Gear = () => (
  <Icon>
    <path d="M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6" />
    <circle cx="10.2" cy="5" r="1.7" />
    <circle cx="5.8" cy="11" r="1.7" />
  </Icon>
);
export const Sun = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1" />
  </Icon>
);
export const Moon = () => (
  <Icon>
    <path d="M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z" />
  </Icon>
);
export const HalfMoon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
  </Icon>
);
export const Expand = () => (
  <Icon>
    <path d="M4.5 6 8 2.5 11.5 6M4.5 10 8 13.5 11.5 10" />
  </Icon>
);
export const Collapse = () => (
  <Icon>
    <path d="M4.5 2.5 8 6l3.5-3.5M4.5 13.5 8 10l3.5 3.5" />
  </Icon>
);
export const Close = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);
export const Folder = () => (
  <Icon>
    <path d="M2 12.5v-9h4l1.5 2H14v7z" />
  </Icon>
);
export const File = () => (
  <Icon>
    <path d="M4 2h5l3 3v9H4zM9 2v3h3" />
  </Icon>
);
export const Save = () => (
  <Icon>
    <path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 11v3h11v-3" />
  </Icon>
);
export const Pen = () => (
  <Icon>
    <path d="m3 13 .6-2.6L11 3l2 2-7.4 7.4z" />
  </Icon>
);
export const Braces = () => (
  <Icon>
    <path d="M6 2.5C3.5 4 2.8 5.8 2.8 8S3.5 12 6 13.5M10 2.5c2.5 1.5 3.2 3.3 3.2 5.5S12.5 12 10 13.5" />
    <circle cx="8" cy="8" r="1.2" fill="currentColor" stroke="none" />
  </Icon>
);
export const Chain = () => (
  <Icon>
    <path d="M2.5 8h4M9.5 8h1.5M9.8 5 13 8l-3.2 3" />
    <circle cx="8" cy="8" r="1.5" />
  </Icon>
);
export const Back = () => (
  <Icon>
    <path d="M13 8H3.5M7 4 3 8l4 4" />
  </Icon>
);
export const Forward = () => (
  <Icon>
    <path d="M3 8h9.5M9 4l4 4-4 4" />
  </Icon>
);
export const Dots = () => (
  <Icon>
    <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.2" />
  </Icon>
);
export const Whole = () => (
  <Icon>
    <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />
  </Icon>
);
export const Export = () => (
  <Icon>
    <path d="M8 10V2.8M5 5.5l3-3 3 3M4.5 8H3v5.5h10V8h-1.5" />
  </Icon>
);
export const Clock = () => (
  <Icon>
    <path d="M2.6 6.2a5.7 5.7 0 1 1-.3 2.6M2.3 3v3.3h3.3M8 5v3.2l2.2 1.4" />
  </Icon>
);
export const Pin = () => (
  <Icon>
    <path d="M5.5 2.5h5M6.2 2.5v4L4.3 9v.8h7.4V9L9.8 6.5v-4M8 9.8v4" />
  </Icon>
);
export const Link = () => (
  <Icon>
    <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8" />
  </Icon>
);
export const Brand = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path d="M10 7v7c0 5 12 3 12 9v2M22 7v5" fill="none" stroke="var(--on-accent)" stroke-width="3" stroke-linecap="round" />
    <circle cx="10" cy="7" r="2.6" fill="var(--on-accent)" />
    <circle cx="22" cy="7" r="2.6" fill="var(--on-accent)" />
    <circle cx="22" cy="25" r="2.6" fill="var(--on-accent)" />
  </svg>
);
