import { expect, it } from 'vitest'
import { keptInside, placeBeside, topAbove } from './place-beside.ts'

it('hangs from the edge with more room, and never leaves the viewport', () => {
  expect(placeBeside({ bottom: 40, left: 20, right: 60 }, 1000)).toEqual({ top: 46, left: 20 })
  expect(placeBeside({ bottom: 40, left: 940, right: 990 }, 1000)).toEqual({ top: 46, right: 10 })
  expect(placeBeside({ bottom: 40, left: -30, right: 60 }, 1000)).toEqual({ top: 46, left: 6 })
})

it('moves where it would be cut off, and not further than the edge', () => {
  expect(keptInside({ top: 46, left: 120 }, 330, 390)).toEqual({ top: 46, left: 54 })
  expect(keptInside({ top: 46, right: 120 }, 330, 390)).toEqual({ top: 46, right: 54 })
  expect(keptInside({ top: 46, left: 20 }, 330, 1000)).toEqual({ top: 46, left: 20 })
  expect(keptInside({ top: 46, left: 20 }, 400, 390)).toEqual({ top: 46, left: 6 })
})

it('stands above the anchor where there is no room below, and never above the screen', () => {
  expect(topAbove(500, 120)).toBe(374)
  expect(topAbove(80, 120)).toBe(6)
})
