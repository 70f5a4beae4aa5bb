import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

it('lets so many in at once and the others in their order', async () => {
  const turns = createTurns(2)
  const order: string[] = []
  const enter = (name: string) =>
    turns.take().then((end) => {
      order.push(name)
      return end
    })
  const [endA] = await Promise.all([enter('a'), enter('b')])
  const c = enter('c')
  const d = enter('d')
  expect(order).toEqual(['a', 'b'])
  endA()
  endA()
  const endC = await c
  expect(order).toEqual(['a', 'b', 'c'])
  endC()
  await d
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

it('forgets who gave up waiting', async () => {
  const turns = createTurns(1)
  const end = await turns.take()
  const giveUp = new AbortController()
  const gone = turns.take(giveUp.signal)
  const next = turns.take()
  giveUp.abort(new Error('gave up'))
  await expect(gone).rejects.toThrow('gave up')
  end()
  ;(await next)()
  await expect(turns.take(giveUp.signal)).rejects.toThrow('gave up')
})
