/**
 * Adds a dark variant to a style sheet, for people whose system is set to dark. Each colour becomes a
 * custom property with two values. The dark value depends on the use of the colour: a white
 * background becomes dark, and white text on a dark background stays white.
 */

/** The use of a colour. */
type Use = 'text' | 'surface' | 'line';

interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** The style sheet with custom properties in place of colours, and both values of each. */
export function withDarkColours(css: string): string {
  const properties = new Map<string, readonly [light: string, dark: string]>();
  const nameOf = (use: Use, colour: string): string => {
    const light = longForm(colour);
    const dark = darkColour(use, light);
    if (dark === light) return colour;
    const name = `--${use}-${light.slice(1)}`;
    properties.set(name, [light, dark]);
    return `var(${name})`;
  };
  const sheet = css.replace(BLOCKS, (block) =>
    staysAsIs(block)
      ? block
      : block.replace(DECLARATIONS, (_, start: string, property: string, value: string) => {
          const use = useOf(property);
          const dynamic = value.replace(COLOURS, (colour) =>
            use === undefined ? colour : nameOf(use, colour),
          );
          return `${start}${property}:${dynamic}`;
        }),
  );
  const values = (which: 0 | 1) =>
    [...properties].map(([name, pair]) => `${name}:${pair[which]}`).join(';');
  // Printed pages use the light colours.
  return (
    `:root{color-scheme:light;${values(0)}}` +
    `@media screen and (prefers-color-scheme: dark){:root{color-scheme:dark;${values(1)}}}${sheet}`
  );
}

/** The declarations of a rule. */
const BLOCKS = /\{[^{}]*\}/g;
/** Leaves out custom properties, and images, which have their own colours. */
const DECLARATIONS = /([{;]\s*)([a-z][a-z-]*):((?:(?!url\()[^;{}])*)(?=[;}])/g;
const COLOURS = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b|\b(?:white|black)\b/g;

/** Whether the rule has a background that is the same in both: a dark one, or that of the focus. */
function staysAsIs(block: string): boolean {
  if (block.includes(FOCUS)) return true;
  const surface = SURFACE.exec(block)?.[1];
  return surface !== undefined && hslOf(longForm(surface)).lightness < 0.6;
}

/** The focus is black on yellow. */
const FOCUS = '#ffeb3b';
const SURFACE = /background(?:-color)?:[^;}]*(#(?:[0-9a-f]{6}|[0-9a-f]{3})\b)/;

function useOf(property: string): Use | undefined {
  if (/^(?:color|fill|caret-color|text-decoration)/.test(property)) return 'text';
  if (/^background(?:-color)?$/.test(property)) return 'surface';
  return /^(?:border|outline|box-shadow)/.test(property) ? 'line' : undefined;
}

/** The backgrounds of large parts of a page. A surface on another surface is lighter. */
const SURFACES: Readonly<Record<string, string>> = {
  '#d8dde0': '#0d1215',
  '#f0f4f5': '#141b1f',
  '#ffffff': '#1d262c',
};

/** Texts are light and surfaces dark, with a contrast of at least 4.5. */
function darkColour(use: Use, light: string): string {
  const { hue, saturation, lightness } = hslOf(light);
  const isVivid = saturation > 0.5;
  switch (use) {
    case 'text':
      if (lightness > 0.6) return light;
      return hexOf({ hue, saturation, lightness: isVivid ? 0.8 : 1 - 0.35 * lightness });
    case 'surface':
      if (lightness < 0.6) return light;
      return (
        SURFACES[light] ??
        hexOf({ hue, saturation: saturation / 2, lightness: 0.17 + 0.35 * (1 - lightness) })
      );
    case 'line':
      if (lightness === 1) return light;
      if (lightness > 0.6) return hexOf({ hue, saturation, lightness: 1.15 - lightness });
      return hexOf({ hue, saturation, lightness: isVivid ? 0.65 : 1 - 0.5 * lightness });
  }
}

function longForm(colour: string): string {
  if (colour === 'white') return '#ffffff';
  if (colour === 'black') return '#000000';
  return colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour;
}

function hslOf(hex: string): Hsl {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const range = max - min;
  const lightness = (max + min) / 2;
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const sector =
    max === red
      ? ((green - blue) / range + 6) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return { hue: sector * 60, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}

function hexOf({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): string => {
    const sector = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
