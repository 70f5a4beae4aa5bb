import { expect, it } from 'vitest'
import { createSemaphore } from './semaphore.ts'

it('lets so many in at once and the others in their order', async () => {
  const slots = createSemaphore(2)
  const order: string[] = []
  const enter = (name: string) =>
    slots.acquire().then((end) => {
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
  const slots = createSemaphore(1)
  const end = await slots.acquire()
  const giveUp = new AbortController()
  const gone = slots.acquire(giveUp.signal)
  const next = slots.acquire()
  giveUp.abort(new Error('gave up'))
  await expect(gone).rejects.toThrow('gave up')
  end()
  ;(await next)()
  await expect(slots.acquire(giveUp.signal)).rejects.toThrow('gave up')
})
