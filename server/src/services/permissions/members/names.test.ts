import { describe, expect, it } from 'vitest'
import { fail } from '../../../platform/http/errors.ts'
import { createNames, whenAway } from './names.ts'

const namesThat = (principal: () => Promise<undefined>) => createNames({ principal, search: async () => [] })
const entry = { type: 'user', id: 'u1', name: 'Ines', detail: 'ines' } as const

describe('names while the identity server is away', () => {
  const names = namesThat(() => Promise.reject(fail('iam.unreachable')))

  it('are those that were written down, of people who may still be there', async () => {
    expect(await names.ofAll('demo', [entry])).toEqual([{ ...entry, isGone: false }])
    const called = await names.people('demo', [entry])
    expect(called(entry)).toEqual({ ...entry, detail: null })
  })

  it('are answered with what stands in for them', () => {
    expect(whenAway('instead')(fail('iam.unreachable'))).toBe('instead')
  })
})

describe('names that fail in another way', () => {
  it.each([
    ['a refusal', fail('auth.forbidden')],
    ['a defect', new TypeError('x is undefined')],
  ])('%s is no name', async (_, error) => {
    const names = namesThat(() => Promise.reject(error))
    await expect(names.ofAll('demo', [entry])).rejects.toBe(error)
    await expect(names.people('demo', [entry])).rejects.toBe(error)
    expect(() => whenAway([])(error)).toThrow(error)
  })
})
