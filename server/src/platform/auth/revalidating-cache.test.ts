import { beforeEach, describe, expect, it } from 'vitest'
import { fail } from '../http/errors.ts'
import { createRevalidatingCache } from './revalidating-cache.ts'

let now: number
let asked: string[]
/** Answers in the order of the questions; a function is run when it is due. */
let answers: (() => Promise<string>)[]

beforeEach(() => {
  ;[now, asked, answers] = [10_000, [], []]
})

const make = (most = 10) =>
  createRevalidatingCache<string>({
    refreshMs: 2000,
    maxAgeMs: 4000,
    most,
    now: () => now,
    read(key) {
      asked.push(key)
      const answer = answers.shift()
      return answer ? answer() : Promise.resolve(`${key}${asked.length}`)
    },
  })
const unreachable = () => Promise.reject(fail('iam.unreachable'))
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a value that lives elsewhere', () => {
  it('is asked for once, by all who need it at the same time', async () => {
    const cache = make()
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).toEqual(['a1', 'a1', 'b2'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('is read again beside the call after two seconds, and before the call after four', async () => {
    const cache = make()
    await cache.get('a')
    now += 1999
    expect(await cache.get('a')).toBe('a1')
    expect(asked).toHaveLength(1)
    now += 1
    expect(await cache.get('a')).toBe('a1')
    await settled()
    expect(await cache.get('a')).toBe('a2')
    now += 4000
    expect(await cache.get('a')).toBe('a3')
  })

  it('does for a while when nobody answers, for who says how long', async () => {
    const cache = make()
    await cache.get('a')
    now += 5000
    answers = [unreachable, unreachable]
    expect(await cache.get('a', { stalestMs: 6000 })).toBe('a1')
    now += 1000
    await expect(cache.get('a', { stalestMs: 6000 })).rejects.toMatchObject({ code: 'iam.unreachable' })
    expect(asked).toHaveLength(3)
    await expect(cache.get('a', { stalestMs: 6000 })).rejects.toMatchObject({ code: 'iam.unreachable' })
    expect(asked, 'who was just not reached is left alone').toHaveLength(3)
    expect(await cache.get('a')).toBe('a1')
    now += 1000
    expect(await cache.get('a', { stalestMs: 6000 })).toBe('a4')
  })

  it('is read before the call by who wants it younger', async () => {
    const cache = make()
    await cache.get('a')
    now += 2100
    expect(await cache.get('a', { maxAgeMs: 2000 })).toBe('a2')
    now += 1999
    expect(await cache.get('a', { maxAgeMs: 2000 })).toBe('a2')
  })

  it('counts its age from the question, not from the answer', async () => {
    const cache = make()
    answers = [
      async () => {
        now += 3000
        return 'slow'
      },
    ]
    expect(await cache.get('a')).toBe('slow')
    now += 1000
    expect(await cache.get('a')).toBe('a2')
  })

  it('holds while its source cannot be reached, which is tried again after a second, and never holds a refusal', async () => {
    const cache = make()
    await cache.get('a')
    now += 5000
    answers = [unreachable]
    expect(await cache.get('a')).toBe('a1')
    now += 999
    expect(await cache.get('a')).toBe('a1')
    expect(asked).toHaveLength(2)
    now += 1
    answers = [() => Promise.reject(fail('internal'))]
    await expect(cache.get('a')).rejects.toMatchObject({ code: 'internal' })
    answers = [unreachable]
    await expect(cache.get('a')).rejects.toMatchObject({ code: 'iam.unreachable' })
  })

  it('is read anew for who asks for now, even while it is being read', async () => {
    const cache = make()
    let finish: (value: string) => void = () => undefined
    answers = [() => new Promise((resolve) => (finish = resolve)), async () => 'new']
    const early = cache.get('a')
    now += 10
    expect(await cache.readNow('a')).toBe('new')
    finish('old')
    expect(await early).toBe('old')
    expect(await cache.get('a')).toBe('new')
  })

  it('does not come back after it was forgotten', async () => {
    const cache = make()
    let finish: (value: string) => void = () => undefined
    answers = [() => new Promise((resolve) => (finish = resolve))]
    const early = cache.get('a')
    cache.forget((key) => key === 'a')
    finish('old')
    await early
    expect(await cache.get('a')).toBe('a2')
  })

  it('is forgotten when there are too many', async () => {
    const cache = make(2)
    for (const key of ['a', 'b', 'c', 'a']) await cache.get(key)
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })
})
