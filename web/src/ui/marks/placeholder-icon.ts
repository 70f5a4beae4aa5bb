import { inkOn, type Rgb } from './derived-color.ts'

/** The picture of a thing that has none, or whose own cannot be had: 160 by 160, its letter on its colour. */
export function placeholderIcon(letters: string, ground: Rgb): string {
  const ink = inkOn(ground) === 'light' ? '#fff' : '#0b1116'
  // Half a character is none that could be written.
  const [letter = ''] = letters.replace(/\p{Surrogate}/gu, '')
  const text = letter.replace(/[<&]/, (sign) => `&#${sign.charCodeAt(0)};`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160" viewBox="0 0 160 160"><rect width="160" height="160" fill="rgb(${ground.join(',')})"/><text x="80" y="80" dy=".35em" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="67" fill="${ink}">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
