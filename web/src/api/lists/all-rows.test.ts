import { expect, it } from 'vitest'
import { allRows } from './all-rows.ts'

const pages = (total: number) => {
  const asked: number[] = []
  const fetchPage = async ({ skip, limit }: { skip: number; limit: number }) => {
    asked.push(skip)
    const data = Array.from({ length: Math.max(0, Math.min(limit, total - skip)) }, (_, at) => skip + at)
    return { data, page: { total } }
  }
  return { asked, rows: () => allRows(fetchPage) }
}

it('reads page by page until nothing is left', async () => {
  const { asked, rows } = pages(2500)
  expect(await rows()).toHaveLength(2500)
  expect(asked).toEqual([0, 1000, 2000])
  expect(await pages(0).rows()).toEqual([])
})

it('refuses a list that is too long for a file, saying how long it is', async () => {
  await expect(pages(20_001).rows()).rejects.toThrow('The list has 20001 rows. Narrow it to 20000 or fewer')
})
