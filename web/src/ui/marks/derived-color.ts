/** Three numbers of a colour, 0 to 255. */
export type Rgb = readonly [number, number, number]

/** The avatar's colour, from the first two characters of a name. */
export function avatarColor(text: string): Rgb {
  const first = text.codePointAt(0) ?? 0
  const second = text.codePointAt(first > 0xffff ? 2 : 1) ?? first
  const x = (first * 37) % 256
  const y = (second * 53) % 256
  const z = (first * 11 + second * 29) % 256
  return [Math.floor((x + 140) / 2), Math.floor((y + 160) / 2), Math.floor((z + 140) / 2)]
}

/** Contrast ratio that large bold letters need (WCAG AA). */
const enoughContrast = 3

/** Light writing where it can be read, dark writing on what is too light for it. */
export function inkOn(color: Rgb): 'dark' | 'light' {
  const [r, g, b] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return 1.05 / (luminance + 0.05) >= enoughContrast ? 'light' : 'dark'
}

/** At most two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? [words[0], words[1]].map((word) => [...(word ?? '')][0]) : [...(words[0] ?? '?')].slice(0, 2)
  return letters.join('').toUpperCase()
}

/** The hue of a tag, from its text; lightness comes from the theme, so that it reads on both. */
export function tagHue(text: string): number {
  let hash = 7
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 3600
  return hash / 10
}

/** '#rrggbb' as numbers; undefined for anything else. */
export function parseHex(color: string): Rgb | undefined {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (found === null) return undefined
  return [Number.parseInt(found[1] ?? '', 16), Number.parseInt(found[2] ?? '', 16), Number.parseInt(found[3] ?? '', 16)]
}
