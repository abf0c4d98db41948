/** When one pane is shown at a time: phones, upright or lying. As in styles/narrow.css. */
export const NARROW = "(max-width: 760px), (max-width: 960px) and (max-height: 480px)";
