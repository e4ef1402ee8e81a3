type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** How bright a colour is to the eye, from 0 to 1. Source: WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours `#rrggbb`, from 1 to 21. Source: WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((first, second) => first - second);
  return (lighter + 0.05) / (darker + 0.05);
}

const STEPS = 20;

/** Mixes a colour with white, as little as it takes to read it on a dark ground. */
export function readableOn(ground: string, colour: string, least: number): string {
  const own = rgbOf(colour);
  for (let step = 0; step < STEPS; step++) {
    const mixed = hexOf(own.map((part) => part + ((255 - part) * step) / STEPS) as unknown as Rgb);
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return '#ffffff';
}
