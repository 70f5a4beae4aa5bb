import { expect, it } from 'vitest'
import { allPages } from './all-pages.ts'

/** Hands out whole numbers below `total` as the identity server does its lists. */
const upTo = (total: number) => {
  const all = Array.from({ length: total }, (_, index) => index)
  return (page: { first: number; max: number }) => Promise.resolve(all.slice(page.first, page.first + page.max))
}

it.each([0, 1, 999, 1000, 1001, 2000, 2500])('nobody hides anything behind the first page: %i', async (total) => {
  const found = await allPages(upTo(total))
  expect(found).toHaveLength(total)
  expect(new Set(found).size).toBe(total)
})
