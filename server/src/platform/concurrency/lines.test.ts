import { expect, it } from 'vitest'
import { createLines, LineIsFull } from './lines.ts'

it('does work of one name in its order, and refuses what is too much of it', async () => {
  const inLine = createLines({ most: 2 })
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const order: string[] = []
  const work = (name: string, label: string) =>
    inLine(name, async () => {
      await opened
      order.push(label)
    })
  const two = [work('a', 'first'), work('a', 'second')]
  await expect(work('a', 'third')).rejects.toThrow(LineIsFull)
  const other = work('b', 'other')
  open()
  await Promise.all([...two, other])
  expect(order.filter((label) => label !== 'other')).toEqual(['first', 'second'])
  await work('a', 'later')
  expect(order.at(-1)).toBe('later')
})
