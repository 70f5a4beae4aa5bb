import { expect, it } from 'vitest'
import { avatarColor, initialsOf, inkOn, parseHex, tagHue } from './derived-color.ts'

it('derives the avatar colour from the first two characters alone, around the middle of each channel', () => {
  expect(avatarColor('admin')).toEqual(avatarColor('adeline'))
  expect(avatarColor('admin')).not.toEqual(avatarColor('da'))
  for (const name of ['admin', 'zz', 'a', '', '🚢x', 'Éa']) {
    const [r, g, b] = avatarColor(name)
    for (const [part, base] of [
      [r, 140],
      [g, 160],
      [b, 140],
    ] as const) {
      expect(part).toBeGreaterThanOrEqual(base / 2)
      expect(part).toBeLessThanOrEqual((base + 255) / 2)
    }
  }
})

it('writes dark on light colours and light on dark ones', () => {
  expect(inkOn([255, 255, 255])).toBe('dark')
  expect(inkOn([20, 40, 60])).toBe('light')
})

it.each([
  ['Grafana', 'GR'],
  ['Orders connector', 'OC'],
  ['first.last', 'FL'],
  ['', '?'],
  ['é', 'É'],
])('%j is shortened to %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

it('gives a tag the same hue every time', () => {
  expect(tagHue('web')).toBe(tagHue('web'))
  expect(tagHue('web')).not.toBe(tagHue('edge'))
})

it('reads hex colours only', () => {
  expect(parseHex('#3bd1b0')).toEqual([59, 209, 176])
  expect(parseHex('red')).toBeUndefined()
})
