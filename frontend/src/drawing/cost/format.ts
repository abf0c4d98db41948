/** Amounts as people read them: three digits and a unit, powers of a thousand. */

const STEPS = ["", "k", "M", "G", "T", "P", "E"] as const;

export function bytesText(bytes: number): string {
  return scaled(bytes, "B");
}

export function flopsText(flops: number): string {
  return scaled(flops, "FLOP");
}

function scaled(amount: number, unit: string): string {
  let step = 0;
  let value = amount;
  // 999.6 would be rounded to 1000 of its unit.
  while (value >= 999.5 && step < STEPS.length - 1) {
    value /= 1000;
    step++;
  }
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const text = digits === 0 ? String(Math.round(value)) : value.toFixed(digits).replace(/\.?0+$/, "");
  return `${text} ${STEPS[step]}${unit}`;
}
